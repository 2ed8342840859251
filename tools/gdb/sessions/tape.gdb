# gb-tape and gb-saved, before and after a write in place, and in backward. Program: tape_demo
break write_in_place
run
up
gb-tape x
echo --- the tape\n
gb-tape loss
echo --- what nodes saved\n
gb-saved #1
gb-saved y
gb-saved #7
gb-saved argc
gb-tape
gb-tape w
echo --- after the write\n
down
finish
gb-tape loss
gb-saved y
echo --- a node in backward\n
break gb::autograd::AccumulateGrad::apply
continue
gb-saved this
delete
break finished
continue
gb-tape last
