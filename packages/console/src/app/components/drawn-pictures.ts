/** Pictures that are drawn; SVG is not one of them, since it can have scripts. */
const drawn = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

export const isDrawn = (mediaType: string): boolean => drawn.has(mediaType)
