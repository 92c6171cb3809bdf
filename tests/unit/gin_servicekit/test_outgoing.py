"""What is sent to addresses that strangers choose reaches the public internet, and nothing of this network."""

import socket
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from gin_servicekit.outgoing import MOST_BODY_BYTES, Outcome, Timeouts, UnusableUrl, check_url, post
from tests.support.receiver import Receiver, receiver

SOON = Timeouts(connect=1, whole=0.3)


@pytest.fixture
def there() -> Iterator[Receiver]:
    with receiver() as there:
        yield there


def never(host: str, port: int) -> list[str]:
    raise AssertionError(f"{host} must not even be resolved")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "ftp://example.com/",
        "example.com/hook",
        "https:///hook",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://example.com/#part",
        "https://example.com:0/",
        "https://example.com:22/",
        "https://example.com:99999/",
        "https://example.com/a b",
        "https://example.com/\r\nHost:x",
        "https://exämple.com/",
        "https://[::1/",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://printer/",
        "https://db.internal/",
        "https://hall.local/",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://0177.0.0.1/",
        "https://0.0.0.0/",
        "https://10.0.0.1/",
        "https://172.16.0.1/",
        "https://192.168.1.1/",
        "https://100.64.0.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://224.0.0.1/",
        "https://255.255.255.255/",
        "https://[::]/",
        "https://[::1]/",
        "https://[fe80::1]/",
        "https://[fc00::1]/",
        "https://[fec0::1]/",
        "https://[64:ff9b:1::7f00:1]/",
        "https://[ff02::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:8.8.8.8]/",
        "https://[::127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://example.com/" + "x" * 2000,
    ],
)
def test_a_url_to_which_nothing_may_be_sent_is_refused_before_its_name_is_asked_for(url: str) -> None:
    with pytest.raises(UnusableUrl):
        check_url(url, local=False)
    assert post(url, b"", {}, local=False, resolve=never).status is None


@pytest.mark.parametrize(
    "url",
    ["https://example.com", "https://example.com:8443/a?b=c", "https://8.8.8.8/", "https://[2606:4700::1111]:443/"],
)
def test_a_public_url_is_admitted(url: str) -> None:
    assert check_url(url, local=False).hostname


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "http://a:b@127.0.0.1/", "http:///x", "http://127.0.0.1:0/"])
def test_a_local_house_is_no_wider_open_than_it_must_be(url: str) -> None:
    with pytest.raises(UnusableUrl):
        check_url(url, local=True)


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::ffff:10.0.0.1"], ["fe80::1%eth0"]], ids=str
)
def test_a_name_that_leads_inside_is_refused_even_where_only_one_of_its_addresses_does(addresses: list[str]) -> None:
    outcome = post("https://innocent.example/", b"", {}, local=False, resolve=lambda *_: addresses)
    assert outcome.status is None
    assert "not an address of the public internet" in str(outcome.problem)


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(there: Receiver) -> None:
    port = int(there.url.rsplit(":", 1)[1].rstrip("/"))
    asked: list[str] = []

    def once(host: str, _: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    outcome = post(f"http://hall.example:{port}/in?x=1", b"{}", {"a": "b"}, local=True, resolve=once)
    assert (outcome, asked) == (Outcome(status=204), ["hall.example"])
    ((headers, body),) = there.received
    assert (headers["host"], headers["a"], body) == (f"hall.example:{port}", "b", b"{}")


def test_an_address_that_takes_no_connection_is_passed_over_for_the_next(there: Receiver) -> None:
    outcome = post(
        there.url.replace("127.0.0.1", "x.example"), b"", {}, local=True, resolve=lambda *_: ["::1", "127.0.0.1"]
    )
    assert outcome.status == 204


def test_a_redirect_is_an_answer_and_not_followed(there: Receiver) -> None:
    there.answers = [(302, {"Location": there.url + "elsewhere"})]
    assert post(there.url, b"", {}, local=True).status == 302
    assert len(there.received) == 1


def test_a_pause_that_is_asked_for_is_told(there: Receiver) -> None:
    there.answers = [
        (503, {"Retry-After": "120"}),
        (503, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        (429, {"Retry-After": "?"}),
    ]
    outcomes = [post(there.url, b"", {}, local=True) for _ in range(3)]
    assert [None if o.retry_after is None else o.retry_after.total_seconds() for o in outcomes] == [120, 0, None]


def test_who_never_answers_is_not_waited_for(there: Receiver) -> None:
    there.answers = ["hang"]
    assert post(there.url, b"", {}, local=True, timeouts=SOON) == Outcome(problem="no answer in time")


def test_who_answers_one_byte_at_a_time_is_not_waited_for_either() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        over = threading.Event()

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                try:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                    while not over.wait(0.02):
                        connection.sendall(b"x")
                except OSError:
                    pass

        thread = threading.Thread(target=drip)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        outcome = post(url, b"", {}, local=True, timeouts=SOON)
        over.set()
        thread.join()
    assert outcome.status is None


def test_of_an_endless_answer_only_a_little_is_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        sent = 0

        def flood() -> None:
            nonlocal sent
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
                try:
                    while True:
                        connection.sendall(b"x" * 65536)
                        sent += 65536
                except OSError:
                    pass

        thread = threading.Thread(target=flood)
        thread.start()
        outcome = post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"", {}, local=True)
        thread.join()
    assert outcome.status == 200
    assert sent < 100 << 20, f"{MOST_BODY_BYTES} bytes are enough"


def test_nobody_there_is_told_plainly() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
    assert post(url, b"", {}, local=True) == Outcome(problem="no connection")
    secure = post(url.replace("http:", "https:"), b"", {}, local=True)
    assert secure == Outcome(problem="no connection")


def test_a_server_that_speaks_no_tls_gets_nothing_in_the_clear(there: Receiver) -> None:
    outcome = post(there.url.replace("http:", "https:"), b"secret", {}, local=True)
    assert outcome == Outcome(problem="no secure connection could be made")
    assert there.received == []


@pytest.mark.parametrize(
    ("host", "outcome"),
    [
        ("hall.example", Outcome(status=204)),
        ("other.example", Outcome(problem="its certificate is not valid for this name")),
    ],
)
def test_a_certificate_must_be_that_of_the_name_although_an_address_is_connected_to(
    there: Receiver, host: str, outcome: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = certificate_of("hall.example", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))  # where the system's own list would be
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    there.server.socket = context.wrap_socket(there.server.socket, server_side=True)
    port = there.server.server_port
    assert post(f"https://{host}:{port}/", b"{}", {}, local=True, resolve=lambda *_: ["127.0.0.1"]) == outcome
    assert len(there.received) == (outcome.status is not None)


def certificate_of(host: str, folder: Path) -> Path:
    """A file with a key and its certificate, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    chain = folder / "chain.pem"
    chain.write_bytes(pem + certificate.public_bytes(Encoding.PEM))
    return chain
