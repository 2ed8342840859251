# What gdb_test.py runs and compares with session.golden.
set pagination off
set width 0
set print frame-arguments all
set disable-randomization off
gb-step
break main
run
echo --- the tensor before the first hop\n
next 3
print x
print nothing
print deep
print x.impl_.target_.key_set_
print (gb::DispatchKey)2
echo --- gb-step: from the call to the first kernel\n
gb-step
gb-step
print x
gb-step
info locals
echo --- at the CPU kernel: how many frames lie between\n
break scale_cpu
continue
backtrace
echo --- every frame, by name only\n
set print frame-arguments none
set print frame-info short-location
backtrace -no-filters
set print frame-info auto
set print frame-arguments all
echo --- gb-trace: the rest, without stopping\n
gb-trace on
continue
gb-step
gb-trace maybe
