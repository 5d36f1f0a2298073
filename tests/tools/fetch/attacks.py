"""URLs that must not be fetched, in the forms that cheat sheets on server-side request forgery collect.

Whoever uses them resolves every name to loopback, as the names of attackers do.
"""

SCHEMES = [
    *("file:///etc/passwd", "file://localhost/etc/passwd", "gopher://127.0.0.1:6379/_INFO", "dict://127.0.0.1:11211/"),
    *("ftp://127.0.0.1/", "sftp://127.0.0.1/", "tftp://127.0.0.1/", "ldap://127.0.0.1/", "jar:http://127.0.0.1!/"),
    *("netdoc:///etc/passwd", "data:text/html,x", "javascript:alert(1)", "ws://127.0.0.1/", "unix:///run/docker.sock"),
    *("view-source:http://127.0.0.1/", "url:http://127.0.0.1/", "http+unix://%2Frun%2Fdocker.sock/", "about:blank"),
    *("http:127.0.0.1", "http:/127.0.0.1", "http:///127.0.0.1/", "http:////127.0.0.1/", "//127.0.0.1/", "127.0.0.1"),
    *(" http://127.0.0.1/", "\thttp://127.0.0.1/", "http ://127.0.0.1/", "http//127.0.0.1", "", "/", "http://", "::1"),
]
LOOPBACK = [
    *("http://127.0.0.1/", "https://127.0.0.1/", "http://127.0.0.1:80/", "http://127.0.0.1:443/", "http://127.0.0.1."),
    *(
        "http://127.127.127.127/",
        "http://127.0.1.3/",
        "http://127.0.0.0/",
        "http://127.255.255.254/",
        "http://0.0.0.0/",
    ),
    *("http://127.1/", "http://127.0.1/", "http://127.1./", "http://0/", "http://0.0/", "http://1/", "http://127/"),
    *("http://2130706433/", "http://3232235521/", "http://4294967295/", "http://6425673729/", "http://017700000001/"),
    *(
        "http://0177.0.0.1/",
        "http://0177.0000.0000.0001/",
        "http://00000177.1/",
        "http://o177.0.0.1/",
        "http://0o177.1/",
    ),
    *("http://0x7f000001/", "http://0x7f.0x0.0x0.0x1/", "http://0x7f.1/", "http://0x7F.0.0.0x01/", "http://0x/"),
    *(
        "http://127.0.0.01/",
        "http://127.000.000.001/",
        "http://0127.0.0.1/",
        "http://127.0.0.256/",
        "http://1.2.3.4.5/",
    ),
    *("http://127.0.0.0x1/", "http://a.127/", "http://a.0x7f/", "http://a.0x/", "http://127.0.0.1.0x0/"),
    *(
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://a.localhost/",
        "http://localhost.localdomain",
    ),
    *("http://ip6-localhost/", "http://ip6-loopback/", "http://localhost:8080/", "http://loopback/", "http://lvh.me/"),
    *(
        "http://127.0.0.1.nip.io/",
        "http://localtest.me/",
        "http://spoofed.burpcollaborator.net/",
        "http://0xd.example/",
    ),
    *(
        "http://1.1.1.1.127.0.0.1.example/",
        "http://make-127.0.0.1-rebind-8.8.8.8-rr.example/",
        "http://7f000001.c0a80001.example",
    ),
]
IPV6 = [
    *("http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[0000::0001]:80/", "http://[::127.0.0.1]/"),
    *(
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::FFFF:0a00:0001]/",
        "http://[0:0:0:0:0:ffff:127.0.0.1]/",
    ),
    *(
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[64:ff9b:1::7f00:1]",
    ),
    *(
        "http://[2002:7f00:1::]/",
        "http://[2002:a9fe:a9fe::1]/",
        "http://[2001:0:7f00:1::1]/",
        "http://[2001::80ff:fffe]/",
    ),
    *("http://[fe80::1]/", "http://[fe80::1%25lo]/", "http://[fe80::1%lo]/", "http://[::1%25]/", "http://[fec0::1]/"),
    *(
        "http://[fc00::1]/",
        "http://[fd00:ec2::254]/",
        "http://[fd20:ce::254]/",
        "http://[ff02::1]/",
        "http://[ff0e::1]/",
    ),
    *("http://[2a00::5efe:7f00:1]/", "http://[2a00::200:5efe:10.0.0.1]/", "http://[100::1]/", "http://[3fff::1]/"),
    *(
        "http://[127.0.0.1]/",
        "http://[v1.x]/",
        "http://[::1",
        "http://::1]/",
        "http://::1/",
        "http://[[::1]]/",
        "http://[]",
    ),
    *(
        "http://[::1]a/",
        "http://[::1].example/",
        "http://[::1]:8o/",
        "http://[::1]@a.example/",
        "http://::ffff:127.0.0.1/",
    ),
]
CLOUDS = [
    *(
        "http://169.254.169.254/",
        "http://169.254.169.254:80/latest/meta-data/",
        "http://2852039166/",
        "http://0xA9FEA9FE/",
    ),
    *("http://0251.0376.0251.0376/", "http://169.254.43518/", "http://169.16689662/", "http://0xa9.254.0251.254/"),
    *(
        "http://[::ffff:a9fe:a9fe]/",
        "http://[::169.254.169.254]/",
        "http://169.254.170.2/v2/credentials",
        "http://425.510.425.510/",
    ),
    *(
        "http://metadata.google.internal/",
        "http://METADATA.GOOGLE.INTERNAL./",
        "http://metadata/",
        "http://metadata.goog/",
    ),
    *(
        "http://instance-data/latest/",
        "http://instance-data.ec2.internal/",
        "http://100.100.100.200/",
        "http://192.0.0.192/",
    ),
    *(
        "http://168.63.129.16/machine/",
        "http://metadata.tencentyun.com/",
        "http://metadata.azure.com/",
        "http://169.254.0.23/",
    ),
    *(
        "http://kubernetes/",
        "http://kubernetes.default/",
        "http://kubernetes.default.svc.cluster.local/",
        "http://rancher-metadata/",
    ),
    *(
        "http://host.docker.internal/",
        "http://gateway.docker.internal:2375/",
        "http://10.96.0.1/",
        "http://172.17.0.1:2375/",
    ),
]
UNICODE = [
    *(
        "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/",
        "http://\uff11\uff12\uff17.\uff10.\uff10.\uff11/",
        "http://127\u30020\u30020\u30021/",
    ),
    *(
        "http://127\uff0e0\uff0e0\uff0e1/",
        "http://127\uff610\uff610\uff611/",
        "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/",
    ),
    *(
        "http://local\u00adhost/",
        "http://local\u200bhost/",
        "http://\uff4cocalhost/",
        "http://\u2113ocalhost/",
        "http://loca\u217chost/",
    ),
    *(
        "http://\uff10\uff58\uff17\uff46.1/",
        "http://\u2169.example\u3002local/",
        "http://metadata.google.intern\u1d43l/",
        "http://\u0661.\u0662/",
    ),
    *(
        "http://1\u2488\u2488/",
        "http://127.0.0.1\u3002/",
        "http://127.0.0.1\ufeff/",
        "http://\u202e1.0.0.721/",
        "http://\ud800.example/",
    ),
]
TRICKS = [
    *(
        "http://a.example@127.0.0.1/",
        "http://127.0.0.1@a.example/",
        "http://a.example:80@127.0.0.1/",
        "http://@127.0.0.1/",
    ),
    *(
        "http://a.example%40127.0.0.1/",
        "http://a.example#@127.0.0.1/",
        "http://127.0.0.1#@8.8.8.8/",
        "http://127.0.0.1?@8.8.8.8/",
    ),
    *(
        "http://8.8.8.8\\@127.0.0.1/",
        "http://127.0.0.1\\@8.8.8.8/",
        "http:\\\\127.0.0.1\\",
        "http://8.8.8.8\\.127.0.0.1/",
        "http:/\\127.0.0.1/",
    ),
    *(
        "http://127.0.0.1:80\\@@127.2.2.2:80/",
        "http://8.8.8.8 &@127.0.0.1# @a.example/",
        "http://a.example:@127.0.0.1/",
    ),
    *(
        "http://8.8.8.8 127.0.0.1/",
        "http://127.0.0.1 /",
        "http://127.0.0.1%20/",
        "http://127.0.0.1%00.a.example/",
        "http://127.0.0.1\x00/",
    ),
    *(
        "http://127.0.0.1%09/",
        "http://127.0.0.1\t/",
        "http://127.0.0.1\r\nHost: a.example/",
        "http://127.0.0.1%0d%0aX:1/",
    ),
    *(
        "http://8.8.8.8/\r\nX: 1",
        "http://8.8.8.8/\n",
        "http://8.8.8.8/ HTTP/1.1\r\nHost: x",
        "ht\ntp://127.0.0.1/",
        "http:\n//127.0.0.1/",
    ),
    *(
        "http://%31%32%37.0.0.1/",
        "http://127%2e0%2e0%2e1/",
        "http://%6c%6f%63alhost/",
        "http://l%6Fcalhost/",
        "http://%5B::1%5D/",
    ),
    *(
        "http://127.0.0.1;a.example/",
        "http://127.0.0.1,a.example/",
        "http://{127.0.0.1}/",
        "http://127.0.0.1|a/",
        "http://127.0.0.1'/",
    ),
    *(
        "http://0://8.8.8.8:80;127.0.0.1:80/",
        "http://8.8.8.8:80:127.0.0.1/",
        "http://8.8.8.8:+80/",
        "http://8.8.8.8:-1/",
        "http://8.8.8.8: 80/",
    ),
    *(
        "http://8.8.8.8:65536/",
        "http://8.8.8.8:0/",
        "http://8.8.8.8:\uff18\uff10/",
        "http://8.8.8.8:99999999999/",
        "http://8.8.8.8:0x50/",
    ),
    *(
        "http://.127.0.0.1/",
        "http://127..0.0.1/",
        "http://127.0.0.1../",
        "http://./",
        "http://../",
        "http://-/",
        "http://*/",
    ),
]
PRIVATE = [
    *(
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://172.31.255.254/",
        "http://192.168.0.1/",
        "http://100.64.0.1/",
        "http://198.18.0.1/",
    ),
    *(
        "http://192.0.2.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://240.0.0.1/",
        "http://192.88.99.1/",
        "http://203.0.113.1/",
    ),
    *(
        "http://intranet/",
        "http://wiki.corp/",
        "http://router.lan/",
        "http://fritz.home/",
        "http://printer.local/",
        "http://nas.home.arpa/",
    ),
    *(
        "http://1.0.0.127.in-addr.arpa/",
        "http://a.onion/",
        "http://a.test/",
        "http://a.invalid/",
        "http://db.internal/",
        "http://com/",
    ),
]
PORT = [
    f"http://8.8.8.8:{port}/" for port in (1, 21, 22, 23, 25, 53, 110, 143, 445, 2375, 3306, 5432, 6379, 9200, 11211)
]

ATTACKS = [*SCHEMES, *LOOPBACK, *IPV6, *CLOUDS, *UNICODE, *TRICKS, *PRIVATE, *PORT]
