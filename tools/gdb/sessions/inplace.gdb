# A write to a view (CopySlices on its base), and the view's grad_fn made anew. Program: engine_demo
break write_to_row
run
echo --- before the write\n
up
gb-tape row
echo --- the write becomes a node of the base\n
break gb::autograd::CopySlices::CopySlices
continue
delete
tbreak write_to_base
continue
up
gb-tape base
gb-saved base
echo --- the tape\n
gb-tape row
echo --- the base is written, and with it the view\n
tbreak ask_for_history
continue
up
gb-tape row
echo --- and somebody asks for its history\n
gb-break as_strided Autograd
continue
gb-break delete 1
tbreak step_through
continue
up
gb-tape row
echo --- CopySlices in backward\n
tbreak gb::autograd::CopySlices::apply
continue
gb-saved this
gb-queue
break finished
continue
up
gb-saved #3
