import encodeQr from 'qr'
import { useMemo } from 'react'

/** A text as a QR code, dark on white in every color scheme, so that every scanner reads it. */
export const QrCode = ({
  text,
  label,
  size = '200px',
  ecc = 'medium',
  border = 3,
}: {
  readonly text: string
  readonly label: string
  /** Width in CSS. */
  readonly size?: string
  /** Error correction; a long text needs `low`. */
  readonly ecc?: 'low' | 'medium'
  /** Width of the white border, in modules. */
  readonly border?: number
}) => {
  const { path, modules } = useMemo(() => {
    const rows = encodeQr(text, 'raw', { ecc, border })
    const squares = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    return { path: squares.join(''), modules: rows.length }
  }, [text, ecc, border])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules} ${modules}`}
      style={{ inlineSize: size, background: '#fff' }}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
