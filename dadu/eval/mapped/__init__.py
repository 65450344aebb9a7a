"""What a robot has mapped, beside what is there: for the judge and the report alone, never for the robot."""
