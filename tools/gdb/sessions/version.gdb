# gb-version, with and without the hardware for it. Program: demo
break gb::demo::affine
run
up
gb-version nothing
gb-version argc
gb-version
down
finish
echo --- without the hardware: every instruction is stepped\n
set can-use-hw-watchpoints 0
gb-version y
continue
backtrace 2
gb-version off
continue
echo --- with a hardware watchpoint\n
set can-use-hw-watchpoints 1
run
finish
gb-version y
continue
gb-version off
continue
echo --- within a kernel, while hops are traced\n
delete
break shift_version
run
gb-version self
gb-trace on
continue
gb-version off
continue
