import hashlib, hmac, json, pathlib, sys, time
need = lambda right, what: right or sys.exit("NOT RIGHT: " + what)
def plain(part):
    values = [each for key in part if key != "simple" for each in (part[key] if type(part[key]) is list else [part[key]])]
    need({type(each) for each in values} <= {str, int, dict, type(None)}, "a number or word of another kind")
    return need("simple" not in part or part["simple"] is True and "lot" in part, "simple") and part
m = json.loads(pathlib.Path(sys.argv[1]).read_bytes(), object_hook=plain)
game, seats, options = m["game"], m["seats"], m["options"]
rounds, again, looked_at, deck, discards, hands = 0, 0, 1, [], [], [[] for _ in seats]
french = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
decktet = ("AM AS AW AL AY AK 2MK 2SY 2WL 3SK 3LY 3MW 4YK 4WL 4MS 5SW 5YK 5ML 6SY 6MW 6LK "
           "7SK 7ML 7WY 8YK 8MS 8WL 9MS 9LK 9WY CM CS CW CL CY CK").split()
def blake(text, size, key=b""):
    return hashlib.blake2b(text.encode(), key=key, digest_size=size).digest()
def stream(key, purpose):
    digests = (blake(f"{purpose}/{block}", 64, key) for block in range(10**6))
    return (int.from_bytes(digest[at:at + 8], "big") for digest in digests for at in range(0, 64, 8))
def below(limit, words):
    return next(word for word in words if word < 2**64 - 2**64 % limit) % limit
def shuffled(cards, key, purpose):
    order, words = list(cards), stream(key, purpose)
    for last in range(len(order) - 1, 0, -1):
        pick = below(last + 1, words)
        order[last], order[pick] = order[pick], order[last]
    return order
secret, opened, started = bytes.fromhex(m["secret"] or ""), int(m.get("opened_by", 0)), int(m["started_by"])
need(set(m) == {"form", "version", "match", "game", "rules", "thinking", "options", "opened_by", "seats", "started_by",
                "commitment", "secret", "interactions", "seed", "draws", "moves", "winners"}, "what the file has")
need(m["form"] == "ribit match" and m["version"] == 2 and m["secret"] == secret.hex(), "form, version or secret")
need(len(secret) == 32 and hashlib.sha256(secret).hexdigest() == m["commitment"], "commitment")
sat, solo = [int(seat["interaction"]) for seat in seats if "interaction" in seat], game == "american_toad"
ids, day = list(dict.fromkeys([*sat, started])), solo and options["daily"]
board = not solo and "duel" in options and f"board {options['board']}"
between = 0 < opened <= sat[0] and sat == sorted({*sat}) and sat[-1] <= started
need(ids == [0] if day or board else 0 not in ids and between, "interactions, or their order")
need(m["interactions"] == [str(each) for each in ids if each], "list of interactions")
need(solo or not {"again", "deal", "par", "replay"} & set(options), "options")
terms = {key: m.get(key) for key in ("match", "game", "rules", "thinking", "opened_by", "seats", "started_by")}
terms["options"] = {key: options[key] for key in options if key not in ("again", "deal", "par", "replay")}
terms = json.dumps(terms, sort_keys=True, separators=(",", ":"))
seed = hmac.digest(secret, b"" if day else (board or terms).encode(), "sha256")
purpose = {"toad": "first dealer", "frogger": "first player"}.get(game, "deal number")
limit, key = (10**9 - 1, blake(f"american toad {options['deal']}", 32)) if solo else (len(seats), seed)
first = below(limit, stream(seed, purpose)) + 1
lot = {"after": 0, "purpose": purpose, "choices": limit, "drawn": first - 1}
need(seed.hex() == m["seed"] and [draw for draw in m["draws"] if "choices" in draw] == [lot], "seed or " + purpose)
need(m["draws"].index(lot) == 2 * (game == "frogger") and len({draw["purpose"] for draw in m["draws"]}) == len(m["draws"])
     and m["draws"] == sorted(m["draws"], key=lambda draw: draw["after"]), "order of the draws")
found = [int.from_bytes(blake(f"deal by lot {first}" + f"/{n}" * (n > 0), 8), "big") % limit + 1 for n in range(1000)]
need(not solo or options["deal"] in ([first] if options["any"] else found), "number of the deal")
for n, move in enumerate([{"move": "deal", "seat": 0}] + m["moves"]):
    need({"move", "seat"} == set(move) - {"lot", "simple"} and 0 <= move["seat"] < len(seats), f"move {n}")
    need(n == 0 or ("lot" in move) == ("computer" in seats[move["seat"]]), f"lot {n}")
    (verb, *words), hand, taken = move["move"].split(), hands[move["seat"]], move["move"].partition("take ")[2].split()
    moved = [each["seat"] for each in m["moves"][:max(n - 1, 0)]].count(move["seat"])
    by = f"{move['seat']} {moved}" if m["rules"] > {"toad": 2, "frogger": 1}.get(game, 0) else n - 1
    need("lot" not in move or move["lot"] == blake(f"opponent {by}", 16, seed).hex(), f"lot {n}")
    discards += words[:1] if verb in ("discard", "play") else hand * (game == "frogger") if verb == "leaves" else []
    discards = discards[:-1] if taken == ["discard"] else discards
    hand[:] = [card for card in hand + taken if verb != "leaves" and [verb, card] != ["play", *words[:1]]]
    for draw in [draw for draw in m["draws"] if draw["after"] == n and "order" in draw]:
        purpose, cards, looked_at = draw["purpose"], draw["cards"], looked_at + 1
        again, rounds = "reshuffle" in purpose and again + 1, rounds + (purpose == f"round {rounds + 1}")
        right = {"deck": decktet, "corridor": deck[:8] + "PMYK PWLY PMSL PSWK".split(), f"reshuffle {again}": discards,
                 "deal": french * 2, f"round {rounds}": french, f"round {rounds} reshuffle {again}": discards[:-1]}
        need(cards == right.get(purpose) and draw["order"] == shuffled(cards, key, purpose) and len(draw) == 4, purpose)
        deck, discards = deck or draw["order"], discards[-1:] if again and rounds else []
        hands = [deck[8 + 4 * seat:12 + 4 * seat] for seat in range(len(hands))] if purpose == "deck" else hands
need(deck and looked_at == len(m["draws"]), "draws that no move leads to, or none")
for each in filter(None, dict.fromkeys([opened, *ids])):
    print(each, time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime((each >> 22) // 1000 + 1420070400)))
shown = m["commitment"] if day or board else hashlib.sha256((m["commitment"] + terms).encode()).hexdigest()
print(f"Right if its match showed {shown} before the match ended, a lobby {m['commitment']}.")
