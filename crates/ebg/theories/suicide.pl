% Who kills whom (Kedar-Cabelli and McCarty, 1987).
kill(A,B) :- hate(A,B), possess(A,W), weapon(W).
hate(P,P) :- depressed(P).
possess(P,T) :- buy(P,T).
weapon(T) :- gun(T).

operational(depressed/1).
operational(buy/2).
operational(gun/1).
