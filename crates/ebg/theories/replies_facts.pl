dog(rex).
escape(fox1,north).  escape(fox1,south).
guards(rex,north).   filled(south).

escape(fox2,west).
