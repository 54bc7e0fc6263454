/** The five requests of a measured session: dial, Know More, About this service, back, exit. */
export const typed = ['', '1', '1*1', '1*1*0', '1*1*0**'] as const

/** What each reply must begin with. */
export const expected = ['CON ', 'CON ', 'CON ', 'CON ', 'END '] as const

/** What those contestants say that have no menus of their own; as long as ours. */
export const constantReply = 'CON Welcome to Sibyl\n1. Know More\n2. Account Menu\n*. Exit'
