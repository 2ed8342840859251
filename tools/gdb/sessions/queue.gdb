# gb-queue: a backward a node at a time with Engine::step, then one inside of another. Program: engine_demo
break step_through
gb-queue
run
gb-queue
gb-tape loss
break between_steps
echo --- one step\n
continue
gb-queue
echo --- and the next\n
continue
gb-queue
echo --- the last one\n
ignore 2 4
continue
gb-queue
echo --- a backward inside of a backward\n
delete
break in_two_passes
continue
gb-queue
gb-queue all
echo --- none\n
break finished
continue
gb-queue
