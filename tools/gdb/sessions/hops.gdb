# gb-step, gb-next, gb-finish, gb-kernel, gb-trace. Program: demo
gb-step
gb-finish
break main
run
gb-finish
gb-kernel
echo --- gb-step: from the call to the first kernel\n
gb-step
gb-step
echo --- gb-kernel: the kernel that this hop has chosen\n
gb-kernel
print x
gb-step
gb-kernel
echo --- gb-next: what demo::scale does is skipped\n
gb-next
echo --- gb-finish: the call has returned\n
gb-finish
echo --- again: the whole of demo::affine in one gb-next\n
kill
run
gb-step
gb-next
echo --- gb-trace: without stopping\n
run
gb-trace
continue
echo --- gb-trace and gb-step together\n
run
gb-trace on
gb-step
gb-next
gb-trace off
continue
gb-trace maybe
gb-step 3
echo --- gb-kernel goes through the library's wrappers: a functor, a boxed kernel\n
run
gb-break thrice
gb-break twice
continue
gb-kernel
backtrace -2
continue
gb-kernel
backtrace -2
gb-finish
