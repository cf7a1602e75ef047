/** Tables played on this one device: the recovery tokens of all its seats. */

export interface Held {
  seat: number;
  recovery: string;
}

const name = (slug: string) => `tuilerie.device.${slug}`;

export function rememberDevice(slug: string, held: Held[]): void {
  try {
    localStorage.setItem(name(slug), JSON.stringify(held));
  } catch {
    // Without storage only the last seat can be played.
  }
}

export function deviceSeats(slug: string): Held[] {
  try {
    return JSON.parse(localStorage.getItem(name(slug)) ?? "[]") as Held[];
  } catch {
    return [];
  }
}
