# gb-threads and gb-thread: a kernel on the host runner. Program: simt_demo
gb-threads
break simt_demo.cc:14 if threadIdx.x == 70
run
echo --- gb-threads: who waits where\n
gb-threads
echo --- gb-thread: another thread's frames under frame 0\n
gb-thread 31
backtrace
info locals
print sum
echo --- by index; the one that runs; one that cannot be shown\n
gb-thread 64,0,0
info locals
gb-thread 70
gb-thread 71
gb-thread 200
gb-thread x
echo --- a step is the running thread's\n
gb-thread 31
next
info locals
gb-thread 31
gb-thread
gb-threads all
echo --- past the kernel\n
delete
break finished
continue
gb-threads
gb-thread 0
