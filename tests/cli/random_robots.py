# SPDX-License-Identifier: Apache-2.0
"""random_robots.py: robot(seed): a model that nobody would build, of all that a model file may hold: trees of joints
and bodies, springs, stops, dry friction, motors, servos, prescribed motion, tendons, wheels, loops, couplings, contacts
with grounds, obstacles and each other, by every method."""
import random

JOINTS = ["revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar", "floating", "fixed"]
FREEDOM = {"revolute": "angle", "prismatic": "position"}  # joints that may have more than an axis
WHEELS = [
    {"type": "differential-drive", "wheel-radius": 0.08, "half-track": 0.15, "wheel-inertia": 1e-3},
    {"type": "knife-edge"},
    {"type": "car-rear", "wheelbase": 0.5, "rear-radius": 0.1, "front-radius": 0.1, "steering-inertia": 0.01},
    {"type": "mecanum", "wheel-radius": 0.08, "half-length": 0.2, "half-track": 0.15, "wheel-inertia": 1e-3},
    {"type": "omni3", "wheel-radius": 0.05, "distance": 0.2, "wheel-inertia": 1e-3},
    {"type": "rolling-disc", "radius": 0.2},
    {"type": "rolling-sphere", "radius": 0.2},
]
FRICTIONS = [
    {"law": "coulomb", "v0": 1e-2}, {"law": "coulomb-stiction"}, {"law": "viscous", "drag": 2.0},
    {"law": "stribeck", "v0": 1e-2, "stribeck-speed": 0.1, "stiction": 1.0},
    {"law": "lugre", "bristle-stiffness": 1e4, "bristle-damping": 10, "stribeck-speed": 0.1, "stiction": 1.0},
]
METHODS = ["dop853", "rkf78", "adams", "bdf", "stiff"]
STEPPED = ["moreau", "rk4", "semi-implicit", "gen-alpha"]


def inertia(dice):
    """Principal moments of a box: every one of them is possible."""
    m = 10 ** dice.uniform(-2, 1)
    a, b, c = (dice.uniform(0.05, 0.5) for _ in range(3))
    return {"mass": m, "com": [round(dice.uniform(-0.3, 0.3), 3) for _ in range(3)],
            "inertia": {"xx": m * (b * b + c * c) / 12, "yy": m * (a * a + c * c) / 12, "zz": m * (a * a + b * b) / 12}}


def body(dice):
    kind = dice.random()
    if kind < 0.75:
        return inertia(dice)
    common = {"length": dice.uniform(0.1, 0.8), "density": 10 ** dice.uniform(2.8, 3.9),
              "young-modulus": 10 ** dice.uniform(6, 10), "kelvin-voigt-time": 10 ** dice.uniform(-4, -2)}
    if kind < 0.9:
        return {"type": "arc", "elements": dice.randint(1, 3), "strains": ["bend-x", "bend-y"],
                "diameter": dice.uniform(0.005, 0.03), **common}
    return {"type": "beam", "directions": ["bend-x"], "modes": dice.randint(1, 2), "width": dice.uniform(0.01, 0.03),
            "height": dice.uniform(0.005, 0.02), **common}


def joint(dice, root):
    """The joint, and whether its motion is smooth."""
    if root and dice.random() < 0.1:
        return dict(dice.choice(WHEELS)), True
    kind = dice.choice(JOINTS)
    j, smooth = {"type": kind}, True
    if kind in ("revolute", "prismatic", "helical", "cylindrical"):
        j["axis"] = dice.choice(["x", "y", "z", [1, 1, 0]])
    if kind == "helical":
        j["pitch"] = dice.uniform(0.01, 0.2)
    if kind in FREEDOM:
        if dice.random() < 0.4:
            j["damping"] = 10 ** dice.uniform(-2, 1)
        if dice.random() < 0.3:
            j["stiffness"] = 10 ** dice.uniform(0, 6)
        if dice.random() < 0.1:
            j["friction"] = 10 ** dice.uniform(-2, 0)
            smooth = False
        if dice.random() < 0.1:
            j["limits"] = {"lower": -dice.uniform(0, 1), "upper": dice.uniform(0, 1)}
            j["stop-stiffness"] = 10 ** dice.uniform(2, 6)
            smooth = False
        if dice.random() < 0.1:
            j["servo"] = {"stiffness": 10 ** dice.uniform(0, 4), "damping": 10 ** dice.uniform(-1, 1)}
            if dice.random() < 0.4:
                j["servo"]["integral"] = 10 ** dice.uniform(0, 3)
            if dice.random() < 0.3:
                j["servo"]["effort"] = 10 ** dice.uniform(0, 2)
                smooth = False
    return j, smooth


def law(dice):
    soft = {"stiffness": 10 ** dice.uniform(4, 8), "restitution": 0.5}
    return dice.choice([{"normal": "restitution", "restitution": round(dice.uniform(0, 1), 2)},
                        {"normal": "hunt-crossley", **soft}, {"normal": "hu-guo", **soft},
                        {"normal": "kelvin-voigt", "exponent": 1, "stiffness": soft["stiffness"],
                         "damping": 1e-3 * soft["stiffness"]}])


def surface(dice):
    out = {"law": law(dice)}
    if dice.random() < 0.6:
        out["friction"] = {"coefficient": round(dice.uniform(0.05, 1.5), 2), **dice.choice(FRICTIONS)}
    return out


def signal(dice):
    a, f = round(dice.uniform(-2, 2), 2), round(dice.uniform(0.2, 3), 2)
    return dice.choice([{"sine": {"amplitude": a, "frequency": f}}, {"smooth-ramp": {"to": a, "duration": 0.5}},
                        {"blend": {"times": [0, 0.3, 0.6], "values": [0, a, 0]}}, {"expression": f"{a} * sin({f} * t)^2"}])


def tree(dice):
    links, smooth = [], True
    for k in range(dice.randint(1, 5)):
        j, plain = joint(dice, k == 0)
        smooth = smooth and plain
        link = {"name": f"l{k}", "joint": j, "body": body(dice)}
        if j["type"] in [w["type"] for w in WHEELS]:
            link["body"] = inertia(dice)
        if link["body"].get("type") is None:
            link["ports"] = {"p": {"at": [round(dice.uniform(-0.5, 0.5), 3) for _ in range(3)]}}
        if k > 0:
            on = dice.randrange(k)
            link["on"] = f"l{on}.p" if "ports" in links[on] and dice.random() < 0.7 else f"l{on}"
        links.append(link)
    return links, smooth


def touch(dice, robot, ported):
    """Points of some links with a floor, or shapes with each other and a peg."""
    if dice.random() < 0.6:
        robot["grounds"] = {"floor": {**surface(dice), "point": [0, 0, -round(dice.uniform(0.6, 2), 2)]}}
        robot["contacts"] = [{"on": f"{name}.p", "with": "floor"} for name in ported if dice.random() < 0.6]
        if not robot["contacts"]:
            robot["contacts"] = [{"on": f"{ported[0]}.p", "radius": 0.05}]
        return
    for link in robot["links"]:
        if link["name"] in ported:
            link["shapes"] = [dice.choice([{"type": "sphere", "radius": 0.05},
                                           {"type": "capsule", "radius": 0.03, "length": 0.2}])]
    robot["obstacles"] = {"peg": {"type": "capsule", "radius": 0.1, "length": 0.5, "at": [0.3, 0, -0.6]}}
    robot["collide"] = [surface(dice)]


def drive(dice, robot):
    """Motors, and joints that move as they are told."""
    for link in robot["links"]:
        name = FREEDOM.get(link["joint"]["type"])
        if name is None:
            continue
        path = f"{link['name']}.joint.{name}"
        told = dice.random()
        if told < 0.1 and "servo" not in link["joint"] and "limits" not in link["joint"]:
            link["joint"] = {k: x for k, x in link["joint"].items() if k in ("type", "axis")} | {"prescribed": True}
            robot.setdefault("motion", {})[path] = signal(dice)
        elif told < 0.25:
            robot.setdefault("inputs", {})[f"u_{link['name']}"] = {"on": path, "value": signal(dice)}
        elif told < 0.35 and "servo" in link["joint"]:
            robot.setdefault("motion", {})[path] = signal(dice)
        elif told < 0.5:
            robot.setdefault("start", {})[path] = round(dice.uniform(-1, 1), 2)
            robot["start"][path + ".rate"] = round(dice.uniform(-3, 3), 2)


def close(dice, robot, ported):
    """A loop to the world or to another link, or a gear. Most of them cannot close and are refused."""
    paths = [f"{x['name']}.joint.{FREEDOM[x['joint']['type']]}" for x in robot["links"]
             if x["joint"]["type"] in FREEDOM and not x["joint"].get("prescribed")]
    if len(paths) > 1 and dice.random() < 0.5:
        robot["couplings"] = {"gear": {"of": paths[0], "to": paths[1], "ratio": round(dice.uniform(-2, 2), 2)}}
        return
    other = dice.choice(["world", *(f"{n}.p" for n in ported[:-1])])
    loop = {"from": other, "to": f"{ported[-1]}.p", "type": dice.choice(["point", "planar-point", "distance", "hinge"])}
    if loop["type"] == "distance":
        loop["length"] = round(dice.uniform(0.2, 1.5), 2)
    robot["loops"] = [loop]
    robot["run"]["loops"] = dice.choice(["multipliers", "multipliers", "reduced", "springs"])


def robot(seed):
    """The model, and whether its motion is smooth, so that two methods must agree on it."""
    dice = random.Random(seed)
    links, smooth = tree(dice)
    out = {"appell": 1, "name": f"random {seed}", "links": links,
           "run": {"to": round(dice.uniform(0.2, 2), 2), "output-every": 0.05, "tolerance": 1e-8}}
    ported = [link["name"] for link in links if "ports" in link]
    if dice.random() < 0.3:
        out["gravity"] = [0, 0, 0]
    drive(dice, out)
    if ported and dice.random() < 0.3:
        touch(dice, out, ported)
        smooth = False
    if ported and dice.random() < 0.1:
        close(dice, out, ported)
        smooth = smooth and out["run"].get("loops") != "springs"
    if len(ported) > 1 and dice.random() < 0.08:
        out["tendons"] = {"line": {"path": [{"port": f"{ported[0]}.p"}, {"port": f"{ported[-1]}.p"}],
                                   "stiffness": 10 ** dice.uniform(1, 4), "damping": 1.0}}
        smooth = False
    method = dice.random()
    if method < 0.2:
        out["run"]["integrator"] = dice.choice(METHODS)
    elif method < 0.3:
        out["run"] |= {"integrator": dice.choice(STEPPED), "step": 1e-3}
        smooth = False
    return out, smooth
