export const messages = { title: 'home' } as const
