interface Scene {
  top: string
  bottom: string
  draw(w: number, h: number): string
}

export const scenes: [Scene, ...Scene[]] = [
  {
    top: '#f3d9c4',
    bottom: '#e9b798',
    draw: (w, h) =>
      `<circle cx="${w * 0.76}" cy="${h * 0.24}" r="${w * 0.15}" fill="#fff3df"/><path d="M0 ${h * 0.62} Q ${w * 0.25} ${h * 0.5} ${w * 0.5} ${h * 0.6} T ${w} ${h * 0.55} V ${h} H0Z" fill="#c98f74" opacity=".55"/><path d="M0 ${h * 0.74} Q ${w * 0.3} ${h * 0.62} ${w * 0.6} ${h * 0.72} T ${w} ${h * 0.68} V ${h} H0Z" fill="#a86f5b" opacity=".55"/>`,
  },
  {
    top: '#cfe0dc',
    bottom: '#9dbfb8',
    draw: (w, h) =>
      `<path d="M${w * 0.08} ${h} C ${w * 0.02} ${h * 0.6} ${w * 0.2} ${h * 0.4} ${w * 0.12} ${h * 0.2} C ${w * 0.34} ${h * 0.4} ${w * 0.3} ${h * 0.7} ${w * 0.24} ${h}Z" fill="#5f8a80" opacity=".7"/><path d="M${w * 0.92} ${h} C ${w} ${h * 0.7} ${w * 0.8} ${h * 0.5} ${w * 0.9} ${h * 0.3} C ${w * 0.7} ${h * 0.5} ${w * 0.72} ${h * 0.8} ${w * 0.78} ${h}Z" fill="#4c766d" opacity=".6"/><circle cx="${w * 0.5}" cy="${h * 0.2}" r="${w * 0.09}" fill="#f6f2e4"/>`,
  },
  {
    top: '#d8d4ea',
    bottom: '#a9a3cf',
    draw: (w, h) =>
      `<rect x="${w * 0.58}" y="${h * 0.1}" width="${w * 0.34}" height="${h * 0.42}" rx="18" fill="#f4efe2"/><path d="M${w * 0.75} ${h * 0.1} V ${h * 0.52} M${w * 0.58} ${h * 0.3} H ${w * 0.92}" stroke="#a9a3cf" stroke-width="8"/><rect x="0" y="${h * 0.7}" width="${w}" height="${h * 0.3}" fill="#7d76ab" opacity=".5"/>`,
  },
  {
    top: '#f6e3b4',
    bottom: '#e5b96a',
    draw: (w, h) =>
      `<path d="M0 ${h * 0.66} L ${w * 0.22} ${h * 0.4} L ${w * 0.4} ${h * 0.62} L ${w * 0.62} ${h * 0.34} L ${w} ${h * 0.7} V ${h} H0Z" fill="#b9803a" opacity=".45"/><path d="M0 ${h * 0.8} Q ${w * 0.5} ${h * 0.7} ${w} ${h * 0.8} V ${h} H0Z" fill="#8d5f2c" opacity=".5"/>`,
  },
  {
    top: '#cddcf0',
    bottom: '#8fb0d8',
    draw: (w, h) =>
      `<path d="M0 ${h * 0.68} H ${w} V ${h} H0Z" fill="#5f88b8" opacity=".55"/><path d="M0 ${h * 0.72} Q ${w * 0.12} ${h * 0.7} ${w * 0.25} ${h * 0.72} T ${w * 0.5} ${h * 0.72} T ${w * 0.75} ${h * 0.72} T ${w} ${h * 0.72}" stroke="#eaf2fb" stroke-width="6" fill="none" opacity=".7"/><circle cx="${w * 0.22}" cy="${h * 0.22}" r="${w * 0.12}" fill="#fdf6e3"/>`,
  },
  {
    top: '#f1cfd3',
    bottom: '#d98f9a',
    draw: (w, h) =>
      `<g fill="#b9606f" opacity=".45"><rect x="${w * 0.04}" y="${h * 0.35}" width="${w * 0.16}" height="${h * 0.65}"/><rect x="${w * 0.22}" y="${h * 0.48}" width="${w * 0.12}" height="${h * 0.52}"/><rect x="${w * 0.7}" y="${h * 0.4}" width="${w * 0.14}" height="${h * 0.6}"/><rect x="${w * 0.86}" y="${h * 0.3}" width="${w * 0.12}" height="${h * 0.7}"/></g><circle cx="${w * 0.6}" cy="${h * 0.2}" r="${w * 0.08}" fill="#fff0e6"/>`,
  },
  {
    top: '#e6ead0',
    bottom: '#b6c48a',
    draw: (w, h) =>
      `<g fill="#7f9455" opacity=".6"><circle cx="${w * 0.1}" cy="${h * 0.3}" r="${w * 0.17}"/><circle cx="${w * 0.9}" cy="${h * 0.24}" r="${w * 0.2}"/><rect x="${w * 0.08}" y="${h * 0.36}" width="${w * 0.035}" height="${h * 0.4}"/><rect x="${w * 0.885}" y="${h * 0.34}" width="${w * 0.035}" height="${h * 0.4}"/></g><path d="M0 ${h * 0.72} Q ${w * 0.5} ${h * 0.64} ${w} ${h * 0.72} V ${h} H0Z" fill="#94a866"/>`,
  },
  {
    top: '#efe2d2',
    bottom: '#d5b999',
    draw: (w, h) =>
      `<g fill="#a47d56" opacity=".6"><rect x="0" y="${h * 0.22}" width="${w}" height="12"/><rect x="0" y="${h * 0.46}" width="${w}" height="12"/></g><g opacity=".75">${[0.05, 0.12, 0.17, 0.66, 0.74, 0.79, 0.9].map((x, i) => `<rect x="${w * x}" y="${h * (i % 2 ? 0.09 : 0.11)}" width="${w * 0.045}" height="${h * (i % 2 ? 0.13 : 0.11)}" fill="${['#8c5a4a', '#5d7a78', '#c48a3f'][i % 3]}"/><rect x="${w * (0.95 - x)}" y="${h * 0.34}" width="${w * 0.045}" height="${h * 0.12}" fill="${['#5d7a78', '#b9606f', '#6d6798'][i % 3]}"/>`).join('')}</g>`,
  },
  {
    top: '#46506f',
    bottom: '#8b7fa4',
    draw: (w, h) =>
      `<g fill="#f8edcf">${[0.08, 0.2, 0.33, 0.52, 0.67, 0.81, 0.93].map((x, i) => `<circle cx="${w * x}" cy="${h * (0.05 + ((i * 37) % 23) / 90)}" r="${3 + (i % 3)}"/>`).join('')}<circle cx="${w * 0.8}" cy="${h * 0.14}" r="${w * 0.07}"/></g><path d="M0 ${h * 0.7} L ${w * 0.3} ${h * 0.5} L ${w * 0.55} ${h * 0.68} L ${w * 0.8} ${h * 0.48} L ${w} ${h * 0.62} V ${h} H0Z" fill="#353c58" opacity=".7"/>`,
  },
]
