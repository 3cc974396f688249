% A goal that holds whatever the opponent replies: an AND node.
caught(Fox) :- forall(escape(Fox,Hole), stopped(Hole)).

stopped(Hole) :- dog(Dog), guards(Dog,Hole).
stopped(Hole) :- filled(Hole).

operational(escape/2).
operational(dog/1).
operational(guards/2).
operational(filled/1).
