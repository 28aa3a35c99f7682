module anyurl

go 1.26
