"""What players do in the model (dead_model.py): one method for each command of a turn."""

from dead_board import EQUIPMENT, Failed, Over
from dead_happenings import Happenings


class Commands(Happenings):
    """Doubts first, then does; `Failed` leaves no trace."""

    def command(self, player, command, args):
        act = getattr(self, "do_" + command, None)
        if act is None:
            raise Failed
        act(player, args)

    def need(self, holds):
        if not holds:
            raise Failed

    def own(self, player, args):
        person = self.people.get(args.get("characterId"))
        self.need(person is not None and person.player is player)
        return person

    def die_for(self, player, least):
        fit = [value for value in player.dice if value >= least]
        self.need(fit)
        return min(fit)

    def do_EndTurn(self, player, args):
        self.end_turn(player)

    def do_Leave(self, player, args):
        player.left = True
        self.all("Left", player=player.number)
        if not self.in_game():
            raise Over
        player.hand = []
        for person in sorted(player.people, key=lambda one: -one.status):
            self.bury(person)
            if not self.base:
                self.all("SurvivorKilled", characterId=person.id)
            self.change_morale(-1, "CHARACTER_DIED")
        self.pass_on(player.number)

    def may_go(self, person, number):
        place = self.places.get(number)
        self.need(not person.moved and place is not None and place is not person.place)
        self.need(place is self.colony or len(place.people) < place.spaces)
        return place

    def go(self, person, place):
        person.place.people.remove(person)
        place.people.append(person)
        person.place, person.moved = place, True
        self.triggers.append(("moved", place.id))

    def do_Move(self, player, args):
        person = self.own(player, args)
        place = self.may_go(person, args.get("locationId"))
        if not self.base:
            self.go(person, place)
            self.all("Moved", characterId=person.id, locationId=place.id)
            self.infect(person, on_the_way=True)
            return
        fuel = [card for card in player.hand if self.cards[card][0] == "fuel"]
        self.need(not args["fuel"] or fuel)
        self.go(person, place)
        self.all("Moved", characterId=person.id, locationId=place.id, fuel=args["fuel"])
        if args["fuel"]:
            player.hand.remove(min(fuel))
            self.change_waste(1)
        else:
            self.infect(person, on_the_way=True)

    def do_Barricade(self, player, args):
        person = self.own(player, args)
        place, entrance = person.place, args["entrance"]
        hammer = None if self.base else person.tool("hammer")
        if hammer is None:
            die = self.die_for(player, 0)
        self.need(place.free(entrance) > 0)
        place.barricades[entrance] += 1
        self.all("Barricaded", characterId=person.id, locationId=place.id, entrance=entrance)
        if hammer is None:
            player.dice.remove(die)
        else:
            hammer[2] = True
        self.triggers.append(("barricaded", place.id))

    def zombie_at(self, place, entrance):
        self.need(0 <= entrance < place.entrances and place.zombies[entrance] > 0)

    def kill_zombie(self, person, entrance):
        person.place.zombies[entrance] -= 1
        self.all("ZombieKilled", characterId=person.id, locationId=person.place.id, entrance=entrance)

    def do_Attack(self, player, args):
        person = self.own(player, args)
        die = self.die_for(player, person.attack)
        self.zombie_at(person.place, args["entrance"])
        player.dice.remove(die)
        self.kill_zombie(person, args["entrance"])
        colt = None if self.base else person.tool("colt")
        if colt is not None:
            colt[2] = True
        elif person.kind != "no_infection":
            self.infect(person)

    def do_Search(self, player, args):
        person = self.own(player, args)
        place = person.place
        die = self.die_for(player, person.search)
        self.need(place is not self.colony and place.deck)
        player.dice.remove(die)
        if self.pool and self.luck.below(place.size) == 0:
            self.all("Searched", characterId=person.id, locationId=place.id)
            self.join(player, self.pool.pop(0))
            for _ in range(self.luck.below(4)):
                self.spawn_child()
            return
        count = 1
        plan = None
        if not self.base:
            plan = person.tool("blueprint", lambda card: self.cards[card][1]["location"] == place.id)
        if plan is not None:
            plan[2], count = True, 2
        elif person.kind == "search" and person.ability["location"] == place.id and \
                person.used < person.ability["maxActivations"]:
            person.used += 1
            count += person.ability["numCards"]
        self.all("Searched", characterId=person.id, locationId=place.id)
        for _ in range(min(count, len(place.deck))):
            self.draw(player, place.deck)
        self.triggers.append(("searched", place.id))

    def spawn_child(self):
        self.children += 1
        self.all("ChildSpawned")

    def do_CleanWaste(self, player, args):
        person = self.own(player, args)
        die = self.die_for(player, 0)
        self.need(person.place is self.colony and self.waste > 0)
        swab = None if self.base else person.tool("swab")
        trash = person.kind == "trash"
        count = 5 if swab else person.ability["numCards"] if trash else 3
        if self.base:
            self.need(not (person.cleaned if trash else player.cleaned))
            if trash:
                person.cleaned = True
            else:
                player.cleaned = True
        if swab:
            swab[2] = True
        if self.base or not (swab or trash):
            player.dice.remove(die)
        self.change_waste(-min(count, self.waste))

    def change_waste(self, by):
        self.waste += by
        self.all("WasteChanged", amount=self.waste if self.base else by)
        self.triggers.append(("wasteChanged", None))

    def in_hand(self, player, args):
        card = args.get("cardId")
        self.need(card in player.hand)
        return card, *self.cards[card]

    def do_ContributeCard(self, player, args):
        card, kind, _ = self.in_hand(player, args)
        wanted = self.crisis[0]
        helps = {"stuff", "lock", "scissors"} | EQUIPMENT if wanted == "stuff" else {wanted}
        self.need(kind in helps)
        player.hand.remove(card)
        self.given += 1
        self.all("Contributed", player=player.number, cardId=card)

    def do_UseCard(self, player, args):
        card, kind, body = self.in_hand(player, args)
        if "characterId" in args:
            self.use_on(player, card, kind, self.own(player, args), args["target"])
            return
        self.need(kind in ("food", "stuff"))
        die = self.die_for(player, 0) if kind == "stuff" else None
        player.hand.remove(card)
        self.all("CardUsed", cardId=card)
        self.change_waste(1)
        if kind == "food":
            self.food += body["amount"]
            self.all("FoodChanged", amount=body["amount"], reason="FOOD_ADDED")
        else:
            player.dice.remove(die)
            player.dice.append(self.roll(player))

    def spend(self, player, card, person, target):
        player.hand.remove(card)
        self.all("CardUsed", cardId=card, characterId=person.id, target=target)
        if self.cards[card][0] not in EQUIPMENT:
            self.change_waste(1)

    def use_on(self, player, card, kind, person, target):
        place = person.place
        if kind == "lock":
            self.need(place.free(target) > 0)
            place.barricades[target] += 1
            self.spend(player, card, person, target)
            self.triggers.append(("barricaded", place.id))
        elif kind == "scissors":
            self.zombie_at(place, target)
            self.spend(player, card, person, target)
            self.kill_zombie(person, target)
        elif kind == "medicine":
            patient = self.patient(person, target)
            self.spend(player, card, person, target)
            self.heal(patient)
        elif kind == "fuel" and not self.base:
            goal = self.may_go(person, target)
            self.go(person, goal)
            self.spend(player, card, person, target)
        elif kind in EQUIPMENT and not self.base:
            wearer = self.near(person, target)
            self.spend(player, card, person, target)
            wearer.tools.append([card, kind, False])
            self.triggers.append(("equip", None))
        else:
            raise Failed

    def near(self, person, target):
        other = self.people.get(target)
        self.need(other is not None and other.player is not None and other.place is person.place)
        return other

    def patient(self, person, target):
        patient = self.near(person, target)
        self.need(patient.wounds + patient.frost > 0)
        return patient

    def heal(self, patient):
        if patient.frost > 0:
            patient.frost -= 1
        else:
            patient.wounds -= 1

    def do_UseAbility(self, player, args):
        person = self.own(player, args)
        ability, kind = person.ability, person.kind
        if "target" not in args:
            self.need(kind == "feed" and person.used == 0)
            person.used = 1
            self.food += ability["numFood"]
            self.all("AbilityUsed", characterId=person.id)
            if self.base:
                self.all("FoodChanged", amount=ability["numFood"], reason="FOOD_ADDED")
            return
        target = args["target"]
        if kind == "heal":
            self.need(person.used == 0 and not (self.base and target == person.id))
            patient = self.patient(person, target)
            person.used = 1
            self.all("AbilityUsed", characterId=person.id, target=target)
            self.heal(patient)
        elif kind == "barricade":
            place = person.place
            self.need(person.used < ability["maxActivations"] and place.free(target) > 0)
            person.used += 1
            place.barricades[target] += min(place.free(target), ability["numBarricades"])
            self.all("AbilityUsed", characterId=person.id, target=target)
            self.triggers.append(("barricaded", place.id))
        elif kind == "kill":
            self.kill(player, person, ability, target)
        else:
            raise Failed

    def kill(self, player, person, ability, target):
        place = person.place
        self.need(person.used < ability["maxActivations"] and place.id == ability["locationId"])
        self.need(not ability.get("children") or self.children > 0)
        self.zombie_at(place, target)
        if ability["dieValue"] > 0:
            player.dice.remove(self.die_for(player, ability["dieValue"]))
        person.used += 1
        self.all("AbilityUsed", characterId=person.id, target=target)
        for _ in range(min(place.zombies[target], ability["numZombies"])):
            self.kill_zombie(person, target)
        if ability.get("infectionDie"):
            self.infect(person)
