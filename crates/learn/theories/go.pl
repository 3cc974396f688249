% What is known of Go before anything is learned (S6): which moves are good, and why.
% B is a position, N a point, S and T strings, C and O colours, D a direction.
% The program writes the facts of a position: banyan rules facts --sgf FILE.

best_move(B,N) :- good_move(B,N), most_efficient(B,N).

good_move(B,N) :- playable(B,N), solid(B,N), decisive(B,N).

playable(B,N) :- legal(B,N), not_ko_banned(B,N,history(B)).

solid(B,N) :- extends_straight(B,N).
solid(B,N) :- captures(B,N,S).

% Both halves of what is split must die; of what is not split, the block itself.
decisive(B,N) :- splits_opponent_in_two(B,N), both_die(B,N).
decisive(B,N) :- captures(B,N,S), rescued_if_played(own_block(B,N),N).

both_die(B,N) :-
    opponent(B,O),
    killed_if_played(left_block(B,N),N,O),
    killed_if_played(right_block(B,N),N,O).

% N goes on in a line of own stones: the next one and the one behind it.
extends_straight(B,N) :- heading(B,N,D).

heading(B,N,D) :-
    to_move(B,C),
    step(D,Q,N), stone(B,Q,C),
    step(D,R,Q), stone(B,R,C).

% To the left and to the right of that line stand two strings of the opponent, which N would join.
splits_opponent_in_two(B,N) :-
    heading(B,N,D), opponent(B,O),
    left(D,L), step(L,N,P), stone(B,P,O), in_string(B,S,P),
    right(D,M), step(M,N,Q), stone(B,Q,O), in_string(B,T,Q),
    S \= T.

% N takes a string that has no other liberty.
captures(B,N,S) :- opponent(B,O), liberty(B,S,N), string(B,S,O), \+ other_liberty(B,S,N).

other_liberty(B,S,N) :- liberty(B,S,P), P \= N.

left(north,west).  left(west,south).  left(south,east).  left(east,north).
right(D,M) :- left(M,D).

% Cheap to test in play, or looked up: what a learned rule may rest on.
operational(legal/2).
operational(not_ko_banned/3).
operational(extends_straight/2).
operational(splits_opponent_in_two/2).
operational(captures/3).
operational(opponent/2).
operational(killed_if_played/3).     % by the life-and-death solver
operational(rescued_if_played/2).    % by the life-and-death solver
operational(most_efficient/2).       % by the ranking of what the rules allow (IGE)

% Facts of which a position may hold none.
operational(stone/3).
operational(in_string/3).
operational(string/3).
operational(liberty/3).
operational(step/3).
operational(to_move/2).
