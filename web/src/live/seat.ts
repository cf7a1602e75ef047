/** The number of a seat, from 0. */
export type Seat = number;
