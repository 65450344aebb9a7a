"""What a person needs beside the robot: override, recording, the report and the demo."""
