import encodeQr from 'qr'
import { useMemo } from 'react'

/** A text as a QR code, dark on white in every color scheme, so that every scanner reads it. */
export const QrCode = ({
  text,
  label,
  size = 200,
}: {
  readonly text: string
  readonly label: string
  readonly size?: number
}) => {
  const rows = useMemo(() => encodeQr(text, 'raw', { ecc: 'medium', border: 3 }), [text])
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
