# gb-queue: a backward a node at a time with Engine::step, then one inside of another. Program: engine_demo
break step_through
gb-queue
run
gb-queue
gb-tape loss
break between_steps
continue
echo --- gb-queue: after the first step\n
gb-queue
echo --- and the second\n
continue
gb-queue
echo --- the last one\n
ignore 2 4
continue
gb-queue
delete
break in_two_passes
continue
echo --- gb-queue: in a backward inside of a backward\n
gb-queue
echo --- what it does not take\n
gb-queue all
echo --- none\n
break finished
continue
gb-queue
