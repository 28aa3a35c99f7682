package find

import _ "mvdan.cc/xurls/v2" // its tests are read from the module cache
