# gb-version, with and without the hardware for it. Program: demo
break gb::demo::affine
run
up
gb-version nothing
gb-version argc
gb-version
finish
set can-use-hw-watchpoints 0
gb-version y
continue
backtrace 2
gb-version off
echo --- with a hardware watchpoint, through all of demo::affine\n
set can-use-hw-watchpoints 1
run
gb-kernel
break shift_cpu
gb-break scale CPU
continue
finish
