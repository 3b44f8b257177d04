"""plain_student.py: a student's client of the plain door that plays nim: first what is refused, then what is not.

    plain_student.py ADDRESS FOLDER NOTES      FOLDER: where protoc has put plain_pb2 and nim_pb2"""
import sys

import zmq


def main(address, folder, path):
    sys.path.insert(0, folder)
    import nim_pb2 as nim      # pylint: disable=import-error, import-outside-toplevel
    import plain_pb2 as plain  # pylint: disable=import-error, import-outside-toplevel
    door = zmq.Context().socket(zmq.DEALER)
    door.linger = 1000
    door.connect(address)
    door.send(plain.Up(sit_down=plain.SitDown(name="Ada")).SerializeToString())
    notes = open(path, "a", encoding="utf-8", buffering=1)
    seat, heaps, is_timed = None, [], False

    def take(heap, count):
        command = nim.Command(take=nim.Take(heap=heap, count=count))
        door.send(plain.Up(command=command.SerializeToString()).SerializeToString())

    while True:
        down = plain.Down.FromString(door.recv())
        is_timed |= down.HasField("latency_ms")
        kind = down.WhichOneof("kind")
        if kind == "begins":
            seat = down.begins.seat
            notes.write(f"begins {seat} {' '.join(down.begins.names)}\n")
        elif kind == "refused":
            notes.write(f"refused {down.refused.reason}\n")
            take(next(i for i, left in enumerate(heaps) if left), 1)
        else:
            event = nim.Event.FromString(down.event)
            what = event.WhichOneof("kind")
            if what == "started":
                heaps = list(event.started.heaps)
            elif what == "taken":
                heaps[event.taken.heap] = event.taken.left
            elif what == "turn" and event.turn.seat == seat:
                take(0, 5000)
            elif what == "over":
                notes.write(f"over {'timed' if is_timed else 'untimed'}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
