"""What cards of the hand do: for the crisis, played alone, or used by a survivor on a target."""

from __future__ import annotations

from .board import EQUIPMENT, Player, Refused, Survivor, Tool
from .deeds import Args, Deeds


class Cards(Deeds):
    """The commands ContributeCard and UseCard."""

    def in_hand(self, player: Player, args: Args) -> int:
        card = self.number(args, "cardId")
        self.need(card in player.hand, "You do not have this card.")
        return card

    def do_ContributeCard(self, player: Player, args: Args) -> None:
        card = self.in_hand(player, args)
        self.need(self.helps(self.cards[card][0]), "The crisis asks for other cards.")
        player.hand.remove(card)
        self.given += 1
        self.all("Contributed", player=player.number, cardId=card)

    def helps(self, kind: str) -> bool:
        wanted = self.crisis[0]
        return kind == wanted or wanted == "stuff" and kind in EQUIPMENT | {"lock", "scissors"}

    def do_UseCard(self, player: Player, args: Args) -> None:
        card = self.in_hand(player, args)
        kind = self.cards[card][0]
        self.need(("characterId" in args) == ("target" in args), "Name a survivor and a target, or neither.")
        if "characterId" not in args:
            self.need(kind in ("food", "stuff"), "This card is used by a survivor on a target.")
            self.play_alone(player, card)
            return
        use = getattr(self, "use_" + ("equipment" if kind in EQUIPMENT else kind), None)
        self.need(use, "This card is used without a target.")
        use(player, card, self.own(player, args), args["target"])

    # Alone.

    def play_alone(self, player: Player, card: int) -> None:
        kind, body = self.cards[card]
        die = self.die_for(player, 1) if kind == "stuff" else None
        player.hand.remove(card)
        self.tell_card(card)
        if kind == "food":
            self.food += body["amount"]
            self.all("FoodChanged", amount=body["amount"], reason="FOOD_ADDED")
        else:
            player.dice.remove(die)
            player.dice.append(self.roll(player))

    def tell_card(self, card: int, **on: int) -> None:
        """A card that was played is waste, unless somebody wears it now."""
        self.all("CardUsed", cardId=card, **on)
        if self.cards[card][0] not in EQUIPMENT:
            self.change_waste(1)

    # On a target.

    def spend(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        player.hand.remove(card)
        self.tell_card(card, characterId=survivor.id, target=target)

    def use_lock(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        self.need_room(survivor.place, target)
        survivor.place.barricades[target] += 1
        self.spend(player, card, survivor, target)
        self.deed("barricaded", survivor.place.id)

    def use_scissors(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        self.need_zombie(survivor.place, target)
        self.spend(player, card, survivor, target)
        self.kill_zombie(survivor, target)

    def use_medicine(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        patient = self.patient(survivor, target)
        self.spend(player, card, survivor, target)
        self.heal(patient)

    def use_fuel(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        if self.is_base:
            raise Refused("Fuel is burnt by Move.")
        place = self.way(survivor, target)
        self.go(survivor, place)
        self.spend(player, card, survivor, target)

    def use_equipment(self, player: Player, card: int, survivor: Survivor, target: int) -> None:
        self.need(not self.is_base, "Equipment only helps in a crisis.")
        wearer = self.neighbour(survivor, target)
        self.spend(player, card, survivor, target)
        wearer.tools.append(Tool(card, self.cards[card][0]))
        self.deed("equip")

    # Who is at the same place.

    def neighbour(self, survivor: Survivor, target: int) -> Survivor:
        """Somebody in play at the same place, of whatever player; also oneself."""
        other = self.people.get(target)
        self.need(other and other.player and other.place is survivor.place, "Nobody like that is at this place.")
        return other

    def patient(self, survivor: Survivor, target: int) -> Survivor:
        other = self.neighbour(survivor, target)
        self.need(other.injuries() > 0, "The survivor has neither wound nor frostbite.")
        return other

    def heal(self, patient: Survivor) -> None:
        if patient.frostbites > 0:
            patient.frostbites -= 1
        else:
            patient.wounds -= 1
