% What is a cup (Winston and others, 1983; Mitchell, Keller and Kedar-Cabelli, 1986).
cup(X) :- liftable(X), stable(X), open_vessel(X).
liftable(X) :- light(X), has_part(X,P), is_a(P,handle).
stable(X) :- has_part(X,P), is_a(P,bottom), flat(P).
open_vessel(X) :- has_part(X,P), is_a(P,concavity), upward_pointing(P).

operational(light/1).
operational(has_part/2).
operational(is_a/2).
operational(flat/1).
operational(upward_pointing/1).
