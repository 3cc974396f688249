likes(john,annie).       likes(annie,john).      likes(john,chocolate).
needs(annie,racket).     sad(john).
