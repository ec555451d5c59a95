#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_live.py APPELL: `appell run --live` as its server is seen by those who should, and should not, reach it.

The page in a browser is the business of viewer/test/live.mjs. Exit code 77: built without server or page.
"""
import base64
import http.client
import json
import math
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

APPELL = Path(sys.argv.pop(1)).resolve()
MODEL = """appell: 1
name: hostile </script><script>alert(1)</script>
links:
  - name: arm
    joint: {type: revolute, axis: y}
    body: {mass: 2, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.01}}
inputs: {motor: {on: arm.joint.angle, value: 0 N m}}
run: {to: 5, tolerance: 1e-9}
"""


class Live:
    def __init__(self, path, *more):
        self.run = subprocess.Popen([APPELL, "run", path, "--live", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.line = self.run.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/$", self.line)
        if found:
            self.port, self.token = int(found[1]), found[2]

    def ask(self, path="", method="GET", body=None, token=None, **headers):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        c.putrequest(method, f"/{self.token if token is None else token}/{path}", skip_host="Host" in headers)
        if body is not None:
            c.putheader("Content-Length", str(len(body)))
        for name, value in headers.items():
            c.putheader(name, value)
        c.endheaders(body.encode() if body is not None else None)
        answer = c.getresponse()
        text = answer.read()
        c.close()
        return answer.status, text, answer

    def wish(self, wish, origin=True):
        headers = {"Origin": f"http://127.0.0.1:{self.port}"} if origin else {}
        status, text, _ = self.ask("wish", "POST", wish if isinstance(wish, str) else json.dumps(wish), **headers)
        return status, text.decode().strip()

    def listen(self):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        c.request("GET", f"/{self.token}/events")
        answer = c.getresponse()
        while True:
            line = answer.readline()
            if not line:
                return
            if line.startswith(b"data: "):
                yield json.loads(line[6:])

    def stop(self):
        self.run.send_signal(signal.SIGINT)
        out, err = self.run.communicate(timeout=30)
        return self.run.returncode, out, err


def row_of(news):
    raw = base64.b64decode(news["frame"]["row"])
    return struct.unpack(f"<{len(raw) // 8}d", raw)


class LiveRuns(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.path = Path(self.home.name) / "m.yaml"
        self.path.write_text(MODEL)
        self.live = Live(self.path)

    def tearDown(self):
        if self.live.run.poll() is None:
            self.live.stop()
        self.home.cleanup()

    def test_page_and_news(self):
        status, text, answer = self.live.ask()
        self.assertEqual(status, 200)
        self.assertEqual(answer.getheader("Cache-Control"), "no-store")
        self.assertEqual(answer.getheader("Referrer-Policy"), "no-referrer")
        data = json.loads(re.search(rb'<script id="appell-data" type="application/json">(.*?)</script>', text, re.S)[1])
        self.assertEqual([i["name"] for i in data["live"]["inputs"]], ["motor"])
        self.assertNotIn(b"<script>alert", text)
        news = self.live.listen()
        times = [next(news)["frame"]["t"] for _ in range(20)]
        self.assertEqual(times, sorted(times))
        # at the pace of the clock: one simulated second takes one
        began, t = time.monotonic(), next(news)["frame"]["t"]
        for item in news:
            if item["frame"]["t"] >= t + 1:
                break
        self.assertGreater(time.monotonic() - began, 0.75)

    def sliders(self, live):
        text = live.ask()[1]
        data = json.loads(re.search(rb'<script id="appell-data" type="application/json">(.*?)</script>', text, re.S)[1])
        names = ["time"] + [c["name"] for c in data["channels"]]  # as in the rows of news
        return {i["name"]: (i["unit"], i["least"], i["greatest"], i["value"]) for i in data["live"]["inputs"]}, names

    def test_sliders(self):
        """Units, and ranges that move the robot: bounds of the file, else 20 rad/s^2 of what the input carries, rounded up to 1, 2 or 5."""
        # 2 kg at 0.5 m and 0.1 kg m^2: 20 (0.1 + 2 0.25) = 12 N m
        self.assertEqual(self.sliders(self.live)[0], {"motor": ("N m", -20, 20, 0)})
        self.path.write_text(MODEL.replace("value: 0 N m", "value: 3 N m, least: -4 N m, greatest: 5 N m"))
        bounded = Live(self.path)
        try:
            self.assertEqual(self.sliders(bounded)[0], {"motor": ("N m", -4, 5, 3)})
        finally:
            bounded.stop()

    def test_sliders_of_a_robot_with_servos(self):
        """`run ROBOT.urdf --hold --live`: sliders are aims of joints, within their limits, and the joint goes there."""
        body = '<inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
        robot = Path(self.home.name) / "r.urdf"
        robot.write_text(f"""<robot name="r"><link name="base"/><link name="a">{body}</link><link name="b">{body}</link><link name="c">{body}</link>
          <joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="500" velocity="3"/></joint>
          <joint name="j2" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><limit effort="500" velocity="3"/></joint>
          <joint name="j3" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/><limit lower="-0.1" upper="0.3" effort="500" velocity="1"/></joint></robot>""")
        live = Live(robot, "--hold", "--set", "start.j1.angle=0.4")
        try:
            sliders, names = self.sliders(live)
            self.assertEqual(sliders, {"j1": ("rad", -1, 2, 0.4), "j2": ("rad", -math.pi, math.pi, 0), "j3": ("m", -0.1, 0.3, 0)})
            self.assertEqual(live.wish({"do": "input", "input": "j1", "value": 1.5}), (200, "granted"))
            at, first = names.index("j1.angle"), None
            for news in live.listen():
                first = first if first is not None else news["frame"]["t"]
                if news["frame"]["t"] > first + 1.5:
                    break
            self.assertAlmostEqual(row_of(news)[at], 1.5, delta=0.01)
        finally:
            live.stop()
        live = Live(robot, "--actuators", "velocity")
        try:
            self.assertEqual(self.sliders(live)[0], {"j1": ("rad/s", -3, 3, 0), "j2": ("rad/s", -3, 3, 0), "j3": ("m/s", -1, 1, 0)})
        finally:
            live.stop()

    def test_wishes(self):
        news = self.live.listen()
        self.assertEqual(self.live.wish({"do": "pause"})[0], 200)
        while (item := next(news))["mode"] != "paused":
            pass
        # steps take a period each
        self.live.wish({"do": "step"})
        t = item["frame"]["t"]
        while (item := next(news))["frame"]["t"] == t:
            pass
        self.assertAlmostEqual(item["frame"]["t"] - t, 0.02, delta=1e-9)
        # an input of 3 N m against a weight of 2 kg at 0.5 m: the arm begins to turn at 3 / (0.1 + 0.5) rad/s^2
        self.live.wish({"do": "reset"})
        while (item := next(news))["epoch"] != 2 or item["frame"]["t"] > 0.021:
            pass
        self.live.wish({"do": "input", "input": "motor", "value": 3})
        for _ in range(3):
            self.live.wish({"do": "step"})
        while item["frame"]["t"] < 0.059:
            item = next(news)
        steps = round(item["frame"]["t"] / 0.02)
        rate = row_of(item)[2]
        low, high = 5 * 0.02 * (steps - 2), 5 * 0.02 * steps
        self.assertTrue(0.9 * low <= rate <= 1.001 * high and rate > 0.05, (rate, low, high))

    def test_pushes_are_in_the_ledger(self):
        names = self.channels()
        news = self.live.listen()
        self.live.wish({"do": "push", "link": "arm", "point": [0, 0, -1], "target": [0.8, 0, -0.6]})
        for item in news:
            row = dict(zip(names, row_of(item)))
            if row["arm.joint.angle"] < -0.3:  # turned towards the target, about y
                break
            self.assertLess(item["frame"]["t"], 30, "it is not pushed")
        self.assertGreater(row["ledger.load"], 0.1)
        # held forces are exact to the integrator: what the load gave is what the arm has
        self.assertAlmostEqual(row["ledger.kinetic"] + row["ledger.potential"] - row["ledger.load"], self.start_energy(names), delta=1e-6)
        self.assertEqual(self.live.wish({"do": "release"})[0], 200)

    def channels(self):
        _, text, _ = self.live.ask()
        data = json.loads(re.search(rb'<script id="appell-data" type="application/json">(.*?)</script>', text, re.S)[1])
        self.first = {c["name"]: struct.unpack("<d", base64.b64decode(c["values"]))[0] for c in data["channels"]}
        return ["time"] + [c["name"] for c in data["channels"]]

    def start_energy(self, names):
        return self.first["ledger.kinetic"] + self.first["ledger.potential"]

    def test_strangers(self):
        port = self.live.port
        ours = {"Origin": f"http://127.0.0.1:{port}"}
        for token in ("0" * 32, "", self.live.token[:-1], self.live.token + "0"):
            self.assertEqual(self.live.ask(token=token)[0], 404)
        # another name for this machine (DNS rebinding), and pages of other sites
        self.assertEqual(self.live.ask(Host="evil.example:80")[0], 403)
        self.assertEqual(self.live.ask("events", Origin="http://evil.example")[0], 403)
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}"):
            self.assertEqual(self.live.ask("wish", "POST", '{"do": "pause"}', Origin=origin)[0], 403)
        self.assertEqual(self.live.wish({"do": "pause"}, origin=False)[0], 403)
        self.assertEqual(self.live.ask("wish", "POST", '{"do": "pause"}', Host=f"localhost:{port}", Origin=f"http://localhost:{port}")[0], 200)
        for path, method in (("wish", "GET"), ("etc/passwd", "GET"), ("../../etc/passwd", "GET"), ("", "DELETE"), ("events", "POST")):
            self.assertIn(self.live.ask(path, method, "" if method == "POST" else None, **ours)[0], (404, 405))

    def test_bad_wishes(self):
        for wish, words in (("{", "JSON"), ("[]", "JSON"), ("{}", "do"), ({"do": "fly"}, "known requests"),
                            ({"do": "input", "input": "none", "value": 1}, "no such input"),
                            ({"do": "input", "input": "motor", "value": "1"}, "finite number"),
                            ('{"do": "input", "input": "motor", "value": 1e999}', "JSON"),
                            ({"do": "push", "link": "leg", "point": [0, 0, 0], "target": [0, 0, 0]}, "no such link"),
                            ({"do": "push", "link": "arm", "point": [0, 0], "target": [0, 0, 0]}, "three numbers"),
                            ({"do": "push", "link": "arm", "point": [0, 0, 1e9], "target": [0, 0, 0]}, "three numbers"),
                            ({"do": "speed", "value": 0}, "from 0.01")):
            status, text = self.live.wish(wish)
            self.assertEqual(status, 400, wish)
            self.assertIn(words, text)
        self.assertEqual(self.live.wish('{"do": "pause", "x": "' + 8000 * "y" + '"}')[0], 413)
        self.assertEqual(self.live.wish({"do": "go"})[0], 200)

    def test_only_this_machine(self):
        # the socket stands on 127.0.0.1: other addresses of this machine do not answer
        others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} | {"127.0.0.2"}
        for address in others - {"127.0.0.1"}:
            with self.assertRaises(OSError):
                socket.create_connection((address, self.live.port), timeout=5).close()

    def test_many_listeners(self):
        streams = [self.live.listen() for _ in range(4)]
        for s in streams:
            next(s)
        self.assertEqual(self.live.ask("events")[0], 503)

    def test_slow_strangers(self):
        """Forty connections that have sent one byte: the page is served all the same, and in time."""
        slow = [socket.create_connection(("127.0.0.1", self.live.port)) for _ in range(40)]
        try:
            for s in slow:
                try:
                    s.sendall(b"G")
                except OSError:
                    pass  # closed already
            began = time.monotonic()
            self.assertEqual(self.live.ask()[0], 200)
            self.assertLess(time.monotonic() - began, 2.9)  # strangers are closed after 3 s
            self.assertEqual(next(self.live.listen())["mode"], "running")
            time.sleep(5)  # without a byte for 3 s: all of them are closed
            for s in slow:
                s.settimeout(3)
                try:
                    self.assertEqual(s.recv(1), b"")
                except ConnectionError:
                    pass
        finally:
            for s in slow:
                s.close()

    def test_port_in_use(self):
        done = subprocess.run([APPELL, "run", self.path, "--live", "--port", str(self.live.port)], capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"port {self.live.port} of 127.0.0.1 cannot be used", done.stderr)
        self.assertEqual(done.stdout, "")
        for words in (("--port", "70000"), ("--resume", "x.h5"), ("--output-every", "0.1")):
            done = subprocess.run([APPELL, "run", self.path, "--live", *words], capture_output=True, text=True, timeout=30)
            self.assertEqual(done.returncode, 2, words)

    def test_recorded_too(self):
        self.live.stop()
        result = Path(self.home.name) / "r.h5"
        live = Live(self.path, "-o", result)
        time.sleep(0.5)
        code, _, err = live.stop()
        self.assertEqual((code, err), (130, ""))  # 128 + SIGINT, as of every run
        self.assertTrue(result.exists())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.yaml"
        path.write_text(MODEL)
        first = Live(path)
        if not first.line:
            why = first.run.stderr.read()
            if "was built without" in why:
                print("skipped:", why)
                sys.exit(77)
            sys.exit(why)
        first.stop()
    unittest.main()
