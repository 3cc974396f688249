light(obj1).  owner(obj1,ann).  color(obj1,green).
has_part(obj1,handle1).     is_a(handle1,handle).
has_part(obj1,bottom1).     is_a(bottom1,bottom).        flat(bottom1).
has_part(obj1,concavity1).  is_a(concavity1,concavity).  upward_pointing(concavity1).
