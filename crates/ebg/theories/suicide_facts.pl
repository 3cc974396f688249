depressed(john).
buy(john,obj1).
gun(obj1).
