# The printers. Program: demo
break gb::demo::affine
run
up
print x
print nothing
print deep
print x.impl_.target_.key_set_
print gb::DispatchKey::AutogradCPU
print gb::impl::tls_local_dispatch_key_set_
