# The frame filter, in a run that is not traced. Program: demo
set print frame-arguments scalars
break scale_cpu
run
backtrace
echo --- every frame, by name only\n
set print frame-arguments none
set print frame-info short-location
backtrace -no-filters
set print frame-info auto
echo --- in the hook\n
gb-step
backtrace
