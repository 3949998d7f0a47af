"""Seats: names, neighbours, sides."""

import pytest

from nousu.engine.seats import (
    CHANCE,
    DIRECTOR,
    clockwise,
    left,
    parse_seat,
    partner,
    right,
    seat_name,
    side,
)


def test_names_round_trip(subtests: pytest.Subtests) -> None:
    for seats in range(2, 9):
        with subtests.test(seats=seats):
            for seat in (*range(seats), CHANCE, DIRECTOR):
                assert parse_seat(seat_name(seat, seats), seats) == seat
                assert parse_seat(seat_name(seat, seats).lower(), seats) == seat


def test_four_seats_have_compass_names_and_others_numbers() -> None:
    assert [seat_name(seat) for seat in range(4)] == ["N", "E", "S", "W"]
    assert [seat_name(seat, 3) for seat in range(3)] == ["P1", "P2", "P3"]


def test_neighbours() -> None:
    assert [left(3, 4), right(0, 4), left(4, 5), right(0, 5)] == [0, 3, 0, 4]
    assert [partner(seat) for seat in range(4)] == [2, 3, 0, 1]
    assert [side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert clockwise(2, 5) == (2, 3, 4, 0, 1)


def test_unknown_seat_is_told_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="the seats are N E S W"):
        parse_seat("Q")
    with pytest.raises(ValueError, match="the seats are P1 P2 P3"):
        parse_seat("N", 3)
