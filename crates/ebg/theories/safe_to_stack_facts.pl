% One box on one table.
on(obj1,obj2).
type(obj1,box).          type(obj2,endtable).
color(obj1,red).         color(obj2,blue).
volume(obj1,2).          density(obj1,0.3).
owner(obj1,fred).        owner(obj2,louise).
material(obj1,cardboard). material(obj2,wood).

% Another on another, and two things that must not be stacked.
volume(obj3,4).          density(obj3,1.1).       type(obj4,endtable).
volume(obj5,9).          density(obj5,2).
