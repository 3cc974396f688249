% Who gives what to whom, oneself included (after Bratko, Prolog Programming for Artificial Intelligence).
gives(P,Q,T) :- likes(P,Q), would_please(T,Q).
gives(P,Q,T) :- feels_sorry_for(P,Q), would_comfort(T,Q).

would_please(T,P) :- needs(P,T).
would_comfort(T,P) :- likes(P,T).
feels_sorry_for(P,Q) :- likes(P,Q), sad(Q).
feels_sorry_for(P,P) :- sad(P).

operational(likes/2).
operational(needs/2).
operational(sad/1).
