% When one thing may stand on another (Mitchell, Machine Learning, 1997, chapter 11).
safe_to_stack(X,Y) :- lighter(X,Y).

lighter(X,Y) :- weight(X,WX), weight(Y,WY), WX < WY.

weight(X,W) :- volume(X,V), density(X,D), W is V*D.
weight(X,5) :- type(X,endtable).    % of an end table nobody knows the weight

operational(volume/2).
operational(density/2).
operational(type/2).
operational(material/2).
