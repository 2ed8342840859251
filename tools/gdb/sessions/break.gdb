# gb-break, set before and after the start. Program: demo
gb-break
gb-break scale Autograd
gb-break shift_ Nonsense
gb-break shift_
gb-break
run
gb-break demo::scale CPU
gb-break nonsense
continue
backtrace 1
gb-break delete 1
continue
gb-break
gb-break delete
gb-break
gb-break delete 7
gb-break a b c
continue
