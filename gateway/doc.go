// Package gateway puts every scheme back into the browser. It is an
// [http.Handler] over package fetch, with package audit as its gate: gopher
// menus, FTP folders, newsgroups, searches and terminals as pages, and a proxy
// for programs that ask for gopher, ftp, news or wais URLs by HTTP.
//
// Start with [New]. The handler opens nothing but through the client it is
// given, listens nowhere, and believes nobody: a server's words are escaped, a
// link is audited, and what looks dangerous is asked about before it is opened.
package gateway
