/** Tables that are played around this one device: the keys to all seats that it holds. */

export interface Held {
  seat: number;
  recovery: string;
}

const name = (slug: string) => `tuilerie.device.${slug}`;

export function rememberDevice(slug: string, held: Held[]): void {
  try {
    localStorage.setItem(name(slug), JSON.stringify(held));
  } catch {
    // Then only the seat that was taken last can be played.
  }
}

export function deviceSeats(slug: string): Held[] {
  try {
    return JSON.parse(localStorage.getItem(name(slug)) ?? "[]") as Held[];
  } catch {
    return [];
  }
}
