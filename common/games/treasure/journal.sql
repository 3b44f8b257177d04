-- journal.sql: what recorded/sql/queries.sql wants beside the tables of a journal: who won and lost each game, by seat.
-- It is a temporary view. So it is read before the queries, in the same session, and changes nothing.
CREATE TEMP VIEW Outcome AS
SELECT p.GameID, 1 AS Seat, p.PlayerID1 AS PlayerID, p.PlayerID2 AS OpponentID,
       CASE g.Result WHEN 'P1_WIN' THEN 1 ELSE 0 END AS Won,
       CASE g.Result WHEN 'P2_WIN' THEN 1 WHEN 'BOTH_LOSE' THEN 1 ELSE 0 END AS Lost,
       g.Result, g.Reason, g.RoundNumber, g.Beginning, g.Ending
  FROM Play p JOIN Game g ON g.GameID = p.GameID
UNION ALL
SELECT p.GameID, 2, p.PlayerID2, p.PlayerID1,
       CASE g.Result WHEN 'P2_WIN' THEN 1 ELSE 0 END,
       CASE g.Result WHEN 'P1_WIN' THEN 1 WHEN 'BOTH_LOSE' THEN 1 ELSE 0 END,
       g.Result, g.Reason, g.RoundNumber, g.Beginning, g.Ending
  FROM Play p JOIN Game g ON g.GameID = p.GameID;
