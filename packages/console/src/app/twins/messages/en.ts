export const messages = { title: 'twins' } as const
