package idn

// names are the well-known names that labels are compared with, in order. We
// chose them ourselves, from no list: services that most people sign in to, pay
// with, or get mail, news or software from, and whose names attackers borrow.
// Left out are short names, names that are words in some language once an
// accent is added, and names that hold what [fold] makes one.
var names = [...]string{
	"accenture", "adidas", "adobe", "adyen", "airbnb", "akamai", "alibaba", "aliexpress", "alipay", "allegro", "amazon",
	"americanexpress", "android", "anthropic", "apache", "apple", "archlinux", "atlassian", "autodesk", "azure", "baidu",
	"bankofamerica", "barclays", "bestbuy", "binance", "bitbucket", "bitcoin", "bitstamp", "bittrex", "bitwarden", "blizzard",
	"bloomberg", "booking", "capitalone", "cargurus", "cbsnews", "chase", "chatgpt", "chromium", "circleci", "cisco",
	"citibank", "clickup", "cloudflare", "coinbase", "commerzbank", "coursera", "craigslist", "creditagricole", "crunchyroll",
	"dashlane", "datadog", "debian", "dell", "deutschebank", "digitalocean", "discord", "disneyplus", "docker", "docusign",
	"dreamhost", "dropbox", "duckduckgo", "duolingo", "ebay", "electrum", "epicgames", "ethereum", "etrade", "etsy", "eventbrite",
	"expedia", "expressvpn", "facebook", "fastly", "fedex", "fedora", "fidelity", "firebase", "firefox", "flickr", "fortnite",
	"foxnews", "freebsd", "freenode", "geocities", "gitea", "github", "githubusercontent", "gitlab", "gmail", "godaddy",
	"gofundme", "golang", "goodreads", "google", "googleapis", "googleusercontent", "grammarly", "gravatar", "grindr", "gumroad",
	"hbomax", "heroku", "hetzner", "hotmail", "hsbc", "huawei", "hubspot", "hulu", "icloud", "ikea", "imdb", "imgur", "ingdirect",
	"instagram", "intel", "intuit", "jetbrains", "jpmorgan", "jquery", "kaspersky", "kayak", "keepass", "khanacademy",
	"kickstarter", "lastpass", "ledger", "lenovo", "letsencrypt", "libreoffice", "linkedin", "linode", "linux", "linuxmint",
	"lloydsbank", "logmein", "lufthansa", "mailchimp", "mastercard", "mercadolibre", "mercadopago", "metamask", "microsoft",
	"microsoftonline", "mojang", "monzo", "mozilla", "myspace", "mysql", "namecheap", "natwest", "netflix", "netlify", "nginx",
	"nintendo", "nodejs", "nordvpn", "norton", "npmjs", "nubank", "nvidia", "nytimes", "okta", "onedrive", "onepassword",
	"openai", "opensea", "openssl", "openstreetmap", "oracle", "outlook", "patreon", "payoneer", "paypal", "paytm", "pinterest",
	"playstation", "postgresql", "postmates", "protonmail", "pypi", "python", "pytorch", "qualcomm", "quora",
	"rackspace", "rakuten", "realtek", "reddit", "redhat", "revolut", "roblox", "rubygems", "sagepay", "salesforce", "samsung",
	"santander", "sberbank", "scribd", "sendgrid", "sharepoint", "shopify", "skrill", "skype", "slack", "slashdot", "snapchat",
	"sony", "soundcloud", "sourceforge", "spotify", "squarespace", "stackexchange", "stackoverflow", "starbucks",
	"steamcommunity", "steampowered", "stripe", "substack", "surfshark", "swisspost", "symantec", "synology", "telegram",
	"tencent", "tesla", "tiktok", "tmobile", "torproject", "trello", "trezor", "trustwallet", "tumblr", "twilio", "twitch",
	"twitter", "typepad", "ubuntu", "udemy", "unicode", "unicredit", "upwork", "usbank", "venmo", "verizon", "vimeo",
	"virustotal", "visa", "vkontakte", "vmware", "vodafone", "walgreens", "walmart", "washingtonpost", "webex", "wechat",
	"weebly", "wellsfargo", "whatsapp", "whitehouse", "wikileaks", "wikimedia", "wikipedia", "windows", "windowsupdate",
	"wordpress", "xfinity", "xiaomi", "yahoo", "yandex", "yelp", "youtube", "zalando", "zelle", "zendesk", "zillow", "zoom",
}
