"""rest_walker.py: a simple program of 2017: hands in its half, walks to and fro, and notes what it is told.

    rest_walker.py PORT HOW NOTES      HOW: well, or what it does wrong: half, sense, hang, die"""
import http.client
import re
import sys
import time

HALF = "01" * 8 + "0100020201030301" + "0101010201030301" + "01" * 8


def main(port, how, path):
    notes = open(path, "a", encoding="utf-8", buffering=1)

    def post(where, body):
        door = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
        door.request("POST", where, body, {"Content-Type": "application/xml"})
        answer = door.getresponse()
        text = answer.read().decode()
        notes.write(f"{where} {answer.status} {answer.getheader('Arbiter-Latency-Ms')} {text.split(chr(10), 1)[1]}\n")
        return text

    text = post("/NewPlayer", "<NewPlayerRequest><FirstName>W</FirstName><SurName>W</SurName>"
                "<MatriculationNumber>1234567</MatriculationNumber></NewPlayerRequest>")
    me = re.search("<ID>(.*)</ID>", text).group(1)
    half = HALF.replace("00", "01") if how == "half" else HALF
    text = post("/MapCreation", f"<CreateNewMapRequest><ID>{me}</ID><MapHalf>{half}</MapHalf></CreateNewMapRequest>")
    if "FullMap" not in text:
        return
    codes = re.findall("..", re.search("<FullMap>(.*)</FullMap>", text).group(1))
    x, y = codes.index("00") % 8 + 1, codes.index("00") // 8 + 1
    here, there = (x, y), (x, y - 1)
    while True:
        for turns in "210":
            if how == "hang":
                time.sleep(1000)
            if how == "die":
                return
            text = post("/Updates", f"<UpdateRequest><ID>{me}</ID><PlayerPositionX>{here[0]}</PlayerPositionX>"
                        f"<PlayerPositionY>{here[1]}</PlayerPositionY><WantedPositionX>{there[0]}</WantedPositionX>"
                        f"<WantedPositionY>{there[1]}</WantedPositionY>"
                        f"<TurnsUntilMovement>{'x' if how == 'sense' else turns}</TurnsUntilMovement></UpdateRequest>")
            if "<Win>false</Win><Loss>false</Loss>" not in text:
                post("/ConnectionProblem", f"<ConnectionProblemRequest><ID>{me}</ID></ConnectionProblemRequest>")
                return
        here, there = there, here


if __name__ == "__main__":
    main(*sys.argv[1:])
