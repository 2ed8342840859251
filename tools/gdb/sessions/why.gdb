# gb-why and gb-table; gdb_test.py compares them with the library's own texts. Program: demo
gb-why affine
break gb::demo::affine
run
up
echo --- outside of any kernel\n
gb-why demo::affine x
gb-why affine x deep
gb-why affine
gb-table demo::affine
gb-why scale x 2 1.5
gb-why scale x deep
gb-table scale
gb-why shift_ x
gb-why shift_ x deep
gb-why shift_ x.impl_.target_.key_set_
gb-table demo::shift_
echo --- within a kernel at Autograd: its guard shows\n
gb-break scale AutogradCPU
continue
gb-step
gb-why affine x
gb-why affine
gb-why scale x
gb-why scale
gb-why shift_ x
gb-why shift_
gb-table
echo --- what cannot be answered\n
gb-why
gb-why nonsense x
gb-why demo x
gb-why scale y
