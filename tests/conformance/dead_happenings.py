"""What happens by itself in the model (dead_model.py): injuries, deaths, fate, the colony's phase."""

from dead_board import INJURIES, Over, only


class Happenings:
    """The rules of what nobody chooses; the table is the game's."""

    # What is said.

    def tell(self, to, event, **args):
        self.said.append({"to": to, "ev": event, "args": args})

    def all(self, event, **args):
        self.tell("all", event, **args)

    def fail(self, comm):
        self.tell(comm, "CommandFailed", message="no")

    # Injuries and deaths.

    def infection(self):
        value = self.luck.below(12)
        return None if value < 6 else "wound" if value < 9 else "frostBite" if value < 11 else "bite"

    def infect(self, person, on_the_way=False):
        result = self.infection()
        if on_the_way:
            boots = not self.base and any(tool[1] == "snow_boots" for tool in person.tools)
            if result == "frostBite" and boots:
                result = "wound"
            elif person.kind == "wound" and result == person.ability["before"]:
                result = person.ability["after"]
            # A wound by boots: the ability is looked at afterwards only for other results.
        if result == "wound":
            self.all("Wounded", characterId=person.id)
            person.wounds += 1
            self.perhaps_dead(person)
        elif result == "frostBite":
            self.all("Frostbitten", characterId=person.id)
            person.frost += 1
            self.perhaps_dead(person)
        elif result == "bite":
            place = person.place
            self.all("Bitten", characterId=person.id)
            self.dies(person)
            self.spread(place)

    def perhaps_dead(self, person):
        if person.wounds + person.frost >= INJURIES:
            if not self.base:
                self.all("SurvivorKilled", characterId=person.id)
            self.dies(person)

    def bury(self, person):
        person.place.people.remove(person)
        person.place = person.player = None

    def change_morale(self, by, why):
        self.morale += by
        self.all("MoralChanged", amount=by, reason=why)
        if self.morale <= 0:
            self.all("GameEnd", win=False)
            raise Over

    def dies(self, person):
        player = person.player
        player.people.remove(person)
        self.bury(person)
        self.change_morale(-1, "CHARACTER_DIED")
        if player.people:
            return
        player.hand = []
        was_on_turn = self.turn is player and not self.keeps_turn(player)
        if self.pool:
            self.join(player, self.pool.pop(0))
        if was_on_turn:
            self.end_turn(player)
        if not player.people:
            player.left = True
            self.all("Left", player=player.number)
            if not self.in_game():
                raise Over
        elif self.base and self.turn is not None and not player.had_turn and not was_on_turn:
            player.sits_out = True

    def keeps_turn(self, player):
        """Edition equipment: the command of somebody else ended that one's turn, and this one's is still to come."""
        return self.equipment and bool(self.pool) and player is not self.playing

    def spread(self, place):
        while True:
            child = place is self.colony and self.children > 0
            if not child and not place.people:
                return
            if self.infection() is None:
                return
            if child:
                self.children -= 1
                self.all("Bitten")
                self.change_morale(-1, "CHARACTER_DIED")
            else:
                weakest = min(place.people, key=lambda one: one.status)
                self.all("Bitten", characterId=weakest.id)
                self.dies(weakest)

    # Fate.

    def comes_true(self):
        if self.fate is None:
            return False
        kind, body = self.fate
        for trigger, place in self.triggers:
            if trigger != kind:
                continue
            if kind == "wasteChanged":
                mark = self.waste_mark + body["amount"]
                if body["amount"] == 0 or (self.waste >= mark if body["amount"] > 0 else self.waste <= mark):
                    return True
            elif "locationId" not in body or body["locationId"] == place:
                return True
        return False

    def handle_fate(self):
        if not self.comes_true() or not self.in_game():
            return
        body, owner = self.fate[1], self.fate_owner
        self.fate = None
        self.all("Crossroad", crossroadId=body["identifier"])
        kind, what = only(body["consequence"])
        if kind == "choice":
            answer = yield from self.vote()
            self.all("VoteResult", answer=answer)
            kind, what = only(what["consequence1" if answer else "consequence2"])
        amount = what["amount"]
        if kind == "changeFood":
            if self.food + amount < 0:
                self.tokens += 1
                self.all("StarvationTokenAdded")
            else:
                self.food += amount
                self.all("FoodChanged", amount=amount, reason="CROSSROAD")
        elif kind == "changeMoral":
            self.change_morale(amount, "CROSSROAD")
        elif kind == "spawnSurvivors":
            self.bring(owner if not owner.left else self.turn, amount, what.get("children"))
        else:
            where = [self.colony] + self.others
            if "locationId" in what:
                where = [self.places[what["locationId"]]]
            for place in where:
                self.zombies_come(place, amount)

    def vote(self):
        yes = no = 0
        for player in self.in_game():
            def late(player=player):
                self.fail(player.comm)
                self.tell(player.comm, "VoteNow")
            self.tell(player.comm, "VoteNow")
            while True:
                command, args = yield from self.hear(player, late)
                if command == "Vote":
                    break
                late()
            yes, no = yes + bool(args["answer"]), no + (not args["answer"])
        return yes >= no

    def bring(self, player, amount, with_children):
        if player is None:
            return
        come = self.pool[:max(amount, 0)]
        self.pool = self.pool[len(come):]
        for person in sorted(come, key=lambda one: one.id):
            self.join(player, person)
        for _ in come if with_children else ():
            self.spawn_child()

    # The colony's phase.

    def mouths(self):
        return (len(self.colony.people) + self.children + 1) // 2

    def colony_phase(self):
        self.all("ColonyPhaseStarted")
        need = self.mouths()
        if need > self.food:
            self.tokens += 1
            self.all("StarvationTokenAdded")
        elif need > 0:
            self.food -= need
            self.all("FoodChanged", amount=-need, reason="FOOD_CONSUMED")
        if self.tokens > 0:
            self.change_morale(-self.tokens, "STARVATION_TOKEN")
        if self.waste >= 10:
            self.change_morale(-(self.waste // 10), "WASTE")
        body = self.crisis[1]
        if self.given < body["requiredCards"]:
            self.change_morale(-body["moralChange"], "CRISIS")
        elif self.given >= body["requiredCards"] + 2:
            self.change_morale(1, "CRISIS")
        self.zombies_come(self.colony, self.mouths())
        for place in self.others:
            self.zombies_come(place, len(place.people))
        self.look_at_goal()

    def zombies_come(self, place, count):
        for i in range(count):
            entrance = i % place.entrances
            if place.free(entrance) > 0:
                place.zombies[entrance] += 1
                self.all("ZombieSpawned", locationId=place.id, entrance=entrance)
            elif place.barricades[entrance] > 0:
                place.barricades[entrance] -= 1
                self.all("BarricadeDestroyed", locationId=place.id, entrance=entrance)
            elif place is self.colony and self.children > 0:
                self.children -= 1
                self.all("ChildKilled")
                self.change_morale(-1, "CHARACTER_DIED")
            elif place.people:
                weakest = min(place.people, key=lambda one: one.status)
                self.all("SurvivorKilled", characterId=weakest.id)
                self.dies(weakest)

    def look_at_goal(self):
        goal, everywhere = self.goal, self.places.values()
        if "survive" in goal:
            won = self.is_last
        elif "barricades" in goal:
            won = sum(sum(place.barricades) for place in everywhere) >= goal["barricades"]
        else:
            won = sum(any(place.zombies) for place in everywhere) <= goal["locationWithZombies"]
        if won or self.is_last:
            self.all("GameEnd", win=won)
            raise Over
