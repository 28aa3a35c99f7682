package cli

import "golang.org/x/sys/unix"

// populate maps the pages of a stretch at once, where the kernel can (Linux
// 5.14); else each costs a fault. What is wrong shows when they are read.
func populate(b []byte) { unix.Madvise(b, unix.MADV_POPULATE_READ) }
