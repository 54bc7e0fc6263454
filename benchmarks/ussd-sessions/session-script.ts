/** The five requests of a measured session: dial, Know More, About this service, back, exit. */
export const typed = ['', '1', '1*1', '1*1*0', '1*1*0**'] as const

/** Expected beginning of each reply. */
export const expected = ['CON ', 'CON ', 'CON ', 'CON ', 'END '] as const

/** Reply of contestants without menus of their own; as long as ours. */
export const constantReply = 'CON Welcome to Sibyl\n1. Know More\n2. Account Menu\n*. Exit'
